package io.berth.app.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class YouthTest {
    private final Youth youth = new Youth();

    @Test
    void processThatHasPlacedLittleIsYoungHoweverCalm() {
        assertThat(youth.isOver(0)).isFalse();
        assertThat(youth.isOver(0)).isFalse();
        assertThat(youth.isOver(Youth.RUSH - 1)).isFalse();
        assertThat(youth.isOver(Youth.RUSH - 1)).isFalse();
    }

    @Test
    void rushComesToItsEndFirst() {
        assertThat(youth.isOver(Youth.RUSH)).isFalse();
        assertThat(youth.isOver(Youth.RUSH + 1)).isFalse();
        assertThat(youth.isOver(Youth.RUSH + 1)).isTrue();
    }

    @Test
    void rushWithoutEndIsNotWaitedFor() {
        assertThat(youth.isOver(Youth.BUSY_RUSH - 1)).isFalse();
        assertThat(youth.isOver(Youth.BUSY_RUSH)).isTrue();
    }
}
