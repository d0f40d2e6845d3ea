package io.berth.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class ProcessLogTest {
    private final List<String> lines = new ArrayList<>();
    private final ProcessLog log = new ProcessLog(lines::add);

    @Test
    @Tag("P-30")
    void linesAboveTheVerbosityAreLeftOut() {
        log.setVerbosity(2);
        log.info(2, "Shown");
        log.info(3, "Hidden");
        log.error(null, "Always");
        assertThat(lines).hasSize(2);
        assertThat(log.isOn(2)).isTrue();
        assertThat(log.isOn(3)).isFalse();
    }

    @Test
    void sourceIsTheCaller() {
        log.info(0, "Here");
        assertThat(lines.getFirst()).contains(" ProcessLogTest.java:");
    }

    @Test
    void keyWithoutValueIsVisible() {
        log.info(0, "Odd", "pod");
        assertThat(lines.getFirst()).endsWith("\"Odd\" pod=\"(MISSING)\"");
    }

    @Test
    void librariesShowWarningsAndHideInformation() {
        Logger library = new LibraryLogger("org.example.Server", log);
        library.info("Started {}", 1);
        library.warn("Slow {} of {}", "a", 2);
        assertThat(lines).hasSize(1);
        assertThat(lines.getFirst())
                .startsWith("W")
                .endsWith("\"Slow a of 2\" logger=\"org.example.Server\"")
                .contains(" ProcessLogTest.java:");
        log.setVerbosity(5);
        library.info("Started {}", 1);
        assertThat(lines).hasSize(2);
    }

    @Test
    void ownModulesShowInformationWithKeysAtLevelTwo() {
        Logger own = new LibraryLogger("io.berth.kube.Watch", log);
        own.info("Hidden");
        log.setVerbosity(2);
        own.atInfo().addKeyValue("kind", "Pod").log("Listed {}", "all");
        own.debug("Hidden");
        assertThat(lines).hasSize(1);
        assertThat(lines.getFirst()).startsWith("I").endsWith("\"Listed all\" kind=\"Pod\"");
    }

    @Test
    @Tag("P-145")
    void ourModulesMayNameAVerbosity() {
        Logger own = new LibraryLogger("io.berth.kube.watch.Reflector", log);
        log.setVerbosity(3);
        own.atDebug().addKeyValue("v", 3).addKeyValue("type", "pods").log("Shown");
        own.atDebug().addKeyValue("v", 4).log("Hidden");
        own.atDebug().log("Hidden");
        own.debug("Hidden");
        assertThat(lines).hasSize(1);
        assertThat(lines.getFirst()).endsWith("\"Shown\" type=\"pods\"");
    }

    @Test
    void throwableOfALibraryIsTold() {
        Logger library = new LibraryLogger("org.example.Server", log);
        library.error("Broken {}", "pipe", new java.io.IOException("closed"));
        assertThat(lines.getFirst()).startsWith("E").contains("\"Broken pipe\"", "err=\"closed\"");
    }

    @Test
    void serverThatEndsDoesNotTellOfEveryCallThatItRefuses() {
        Logger library = new LibraryLogger("org.example.Pool", log);
        library.warn("tryExecute failed", new RejectedExecutionException("not running"));
        assertThat(lines).isEmpty();
        log.setVerbosity(5);
        library.warn("tryExecute failed", new RejectedExecutionException("not running"));
        assertThat(lines).hasSize(1);
    }

    @Test
    void warningsOfLibrariesCanBeHushed() {
        log.showLibraryWarnings(false);
        Logger library = new LibraryLogger("org.example.Server", log);
        library.warn("Connection reset");
        library.error("Broken");
        assertThat(lines).hasSize(1);
    }

    @Test
    void hushedLogSaysNothingMore() {
        var hushable = new HushableLog(log);
        hushable.error(null, "Before");
        hushable.hush();
        hushable.error(null, "After");
        hushable.info(0, "After");
        assertThat(lines).hasSize(1);
        assertThat(hushable.isOn(0)).isFalse();
    }

    @Test
    void slf4jFindsTheProvider() {
        assertThat(LoggerFactory.getLogger("x")).isInstanceOf(LibraryLogger.class);
    }
}
