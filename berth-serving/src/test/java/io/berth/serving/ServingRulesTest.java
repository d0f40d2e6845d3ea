package io.berth.serving;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// What serves the port knows nothing of what it serves.
final class ServingRulesTest {
    private static final JavaClasses SERVING =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.berth.serving");

    @Test
    void knowsNeitherEngineNorProcess() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.berth.engine..",
                        "io.berth.plugins..",
                        "io.berth.app..",
                        "io.berth.apiserver..")
                .check(SERVING);
    }

    @Test
    void pagesKnowNobodyWhoAsks() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.berth.serving.http..",
                        "io.berth.serving.page..",
                        "io.berth.serving.tls..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.berth.serving.auth..", "io.berth.serving.metrics..")
                .check(SERVING);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.berth.serving.(*)..").should().beFreeOfCycles().check(SERVING);
    }

    /// Virtual threads share their carriers with watches and bindings.
    @Test
    void portHasNoVirtualThreads() {
        noClasses()
                .should()
                .callMethod(Thread.class, "ofVirtual")
                .orShould()
                .callMethod(Thread.class, "startVirtualThread", Runnable.class)
                .check(SERVING);
    }
}
