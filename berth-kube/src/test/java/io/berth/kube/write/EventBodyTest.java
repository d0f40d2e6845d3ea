package io.berth.kube.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// An event is named after its object and the time, where that makes a name that the API takes.
class EventBodyTest {
    private static final Instant TIME = Instant.ofEpochSecond(1_700_000_000, 5);

    /// As the API says what a subdomain is.
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private static boolean isNamedAfter(String object) {
        String name = EventBody.nameFor(object, TIME);
        if (name.startsWith(object + ".")) {
            return true;
        }
        assertThat(UUID.fromString(name)).hasToString(name);
        return false;
    }

    @Test
    void objectAndTime() {
        assertThat(EventBody.nameFor("web-0", TIME)).isEqualTo("web-0.17979cfe362a0005");
    }

    @Test
    void aNameThatIsTooLongIsReplaced() {
        assertThat(isNamedAfter("a".repeat(236))).isTrue();
        assertThat(isNamedAfter("a".repeat(237))).isFalse();
    }

    @Test
    void theRulesForNamesAreThoseOfThePattern() {
        var random = new Random(7);
        String letters = "a0z9-..-A_ ";
        for (int i = 0; i < 5_000; i++) {
            var object = new StringBuilder();
            for (int length = random.nextInt(7); object.length() < length; ) {
                object.append(letters.charAt(random.nextInt(letters.length())));
            }
            boolean expected = SUBDOMAIN.matcher(object + ".1").matches();
            assertThat(isNamedAfter(object.toString())).as("%s", object).isEqualTo(expected);
        }
    }
}
