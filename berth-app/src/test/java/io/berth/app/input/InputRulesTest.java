package io.berth.app.input;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.berth.api.amount.Numbers;
import io.berth.config.text.SmallFiles;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/// What others write is read in few places, which bound it.
final class InputRulesTest {
    private static final JavaClasses BERTH =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.berth");

    /// To read a number of any size takes time that grows with the square of its length.
    @Test
    void numbersOfAnySizeAreReadInOnePlace() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(Numbers.class)
                .and()
                .resideOutsideOfPackage("io.berth.apiserver..")
                .should()
                .callConstructor(BigInteger.class, String.class)
                .orShould()
                .callConstructor(BigInteger.class, String.class, int.class)
                .orShould()
                .callConstructor(BigDecimal.class, String.class)
                .orShould()
                .callConstructor(BigDecimal.class, char[].class)
                .because("Numbers bounds their length")
                .check(BERTH);
    }

    /// Exempt are what the kernel writes, what the JVM writes for us, and jars, which the JDK
    /// reads.
    @Test
    void filesOfOperatorsAreReadInOnePlace() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(SmallFiles.class)
                .and()
                .haveNameNotMatching(".*\\.(ProcFile|JvmProfiles|PluginJars)")
                .and()
                .resideOutsideOfPackages("io.berth.apiserver..", "io.berth.sim..")
                .should()
                .callMethodWhere(
                        target(owner(assignableTo(Files.class)))
                                .and(
                                        target(
                                                nameMatching(
                                                        "read.*|lines|new(InputStream|BufferedReader|ByteChannel)"))))
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.io\\.(FileInputStream|FileReader|RandomAccessFile)")
                .because("SmallFiles bounds their size and the time it takes")
                .check(BERTH);
    }
}
