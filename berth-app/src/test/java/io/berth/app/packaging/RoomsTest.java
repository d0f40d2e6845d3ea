package io.berth.app.packaging;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.berth.config.KubeconfigReader;
import io.berth.plugins.InTree;
import org.junit.jupiter.api.Test;

/// What one room may know of another where the build files cannot say it.
final class RoomsTest {
    private static final JavaClasses BERTH =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.berth.config", "io.berth.kube");

    @Test
    void configurationKnowsTheTableOfPluginsNotTheirCode() {
        noClasses()
                .that()
                .resideInAPackage("io.berth.config..")
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.berth.plugins..").and(not(type(InTree.class))))
                .check(BERTH);
    }

    @Test
    void kubernetesEdgeKnowsHowFilesAreReadNotWhatTheyConfigure() {
        noClasses()
                .that()
                .resideInAPackage("io.berth.kube..")
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.berth.config..")
                                .and(
                                        not(
                                                resideInAnyPackage(
                                                        "io.berth.config.text",
                                                        "io.berth.config.schema")))
                                .and(not(type(KubeconfigReader.class))))
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("io.berth.plugins..")
                .check(BERTH);
    }
}
