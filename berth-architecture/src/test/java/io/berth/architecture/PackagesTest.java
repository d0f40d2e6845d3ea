package io.berth.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/// What every package keeps to.
final class PackagesTest {
    private static final JavaClasses HOUSE = Rooms.allClasses();

    /// Whoever adds a room and builds it after this one would have it forgotten here.
    @Test
    void everyRoomIsLookedAt() {
        assertThat(Rooms.names()).hasSizeGreaterThan(10);
        for (var room : Rooms.names()) {
            assertThat(Rooms.classes(room))
                    .as(room)
                    .isDirectoryRecursivelyContaining("glob:**.class");
        }
    }

    @Test
    void noPackagesDependOnEachOther() {
        slices().matching("io.berth.(**)").should().beFreeOfCycles().check(HOUSE);
    }

    /// Everybody else asks: `EngineQueries`.
    @Test
    void onlyTheSimulatorLooksIntoTheEnginesBooks() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.berth.engine..", "io.berth.sim..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.berth.engine.Inspection")
                .check(HOUSE);
    }

    /// A folder that takes more than one look is about more than one thing.
    @Test
    void noPackageHasMoreThanThirtyFiles() {
        var counts = new TreeMap<String, Integer>();
        for (var file : Rooms.sources().keySet()) {
            if (!file.endsWith("package-info.java")) {
                counts.merge(String.valueOf(file.getParent()), 1, Integer::sum);
            }
        }
        assertThat(counts)
                .allSatisfy(
                        (folder, files) -> assertThat(files).as(folder).isLessThanOrEqualTo(30));
    }

    /// A file beyond that is usually two ideas.
    @Test
    void noFileHasMoreThanSixHundredLines() {
        assertThat(Rooms.sources())
                .allSatisfy((file, text) ->
                        assertThat(text.lines().count())
                                .as(file.toString())
                                .isLessThanOrEqualTo(600));
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(HOUSE.getPackage("io.berth").getSubpackagesInTree())
                .filteredOn(found -> !found.getClasses().isEmpty())
                .filteredOn(
                        Predicate.not(
                                (JavaPackage found) -> found.isAnnotatedWith(NullMarked.class)))
                .extracting(JavaPackage::getName)
                .isEmpty();
    }
}
