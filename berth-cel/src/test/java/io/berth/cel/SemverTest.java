package io.berth.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Versions have the order of semver.org.
@Tag("DR-39")
class SemverTest {
    @Test
    void oneComesAfterTheOther() {
        var ascending =
                List.of(
                        "1.0.0-1",
                        "1.0.0-2",
                        "1.0.0-11",
                        "1.0.0-alpha",
                        "1.0.0-alpha.1",
                        "1.0.0-alpha.beta",
                        "1.0.0-beta",
                        "1.0.0",
                        "1.0.1",
                        "1.2.0",
                        "1.10.0",
                        "2.0.0");
        for (int i = 0; i < ascending.size(); i++) {
            for (int j = 0; j < ascending.size(); j++) {
                assertThat(
                                Integer.signum(
                                        Semver.parse(ascending.get(i))
                                                .compareTo(Semver.parse(ascending.get(j)))))
                        .as(ascending.get(i) + " and " + ascending.get(j))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1.2",
                "01.2.3",
                "1.2.3-",
                "1.2.3-01",
                "1.2.3+",
                "v1.2.3",
                "1.2.3.4"
            })
    void isNoVersion(String text) {
        assertThatThrownBy(() -> Semver.parse(text)).isInstanceOf(FunctionFailure.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1.2.3", "1.2.03", "v01.2.3"})
    void looseVersionsAreRead(String text) {
        assertThat(Semver.parseLoosely(text)).isEqualTo(Semver.parse("1.2.3"));
    }
}
