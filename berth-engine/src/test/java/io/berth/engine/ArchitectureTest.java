package io.berth.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// Keeps the direction of packages, and what makes the engine deterministic.
final class ArchitectureTest {
    private static final JavaClasses ENGINE =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.berth.engine");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.berth.engine.(*)..").should().beFreeOfCycles().check(ENGINE);
    }

    @Test
    void stateAndQueueKnowNothingOfPluginsRunningOrAttempts() {
        noClasses()
                .that()
                .resideInAnyPackage("..engine.state..", "..engine.queue..", "..engine.port..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "..engine.framework..",
                        "..engine.search..",
                        "..engine.profile..",
                        "..engine.cycle..",
                        "..engine.intake..")
                .check(ENGINE);
    }

    @Test
    void profilesKnowNothingOfAttempts() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "..engine.framework..", "..engine.search..", "..engine.profile..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..engine.cycle..", "..engine.intake..")
                .check(ENGINE);
    }

    @Test
    void frameworkKnowsNothingOfTheSearchAndTheSearchNothingOfProfiles() {
        noClasses()
                .that()
                .resideInAPackage("..engine.framework..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..engine.search..", "..engine.profile..")
                .check(ENGINE);
        noClasses()
                .that()
                .resideInAPackage("..engine.search..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("..engine.profile..")
                .check(ENGINE);
    }

    /// The exceptions live outside the deterministic core: the thread that drives the engine in a
    /// process, who watches it, and the clocks of that process.
    @Test
    void coreTakesTimeChanceAndThreadsFromPorts() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(EngineThread.class.getName())
                .and()
                .doNotHaveFullyQualifiedName(EngineWatchdog.class.getName())
                .and()
                .doNotHaveFullyQualifiedName(SystemTime.class.getName())
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(Thread.class, "start")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage("java.io..", "java.nio.file..", "java.net..")
                .check(ENGINE);
    }
}
