package dev.ligeiro.gateway.merchant;

import dev.ligeiro.transaction.Mode;

/** Parses a mode. Live is refused: no live rail can be configured yet, and a live key must never reach the simulator. */
final class ModeField {

    private ModeField() {}

    static Mode parse(String text) {
        if (text.equals(Mode.LIVE.code())) {
            throw new IllegalArgumentException("expected test: this installation has no live rail");
        }
        if (!text.equals(Mode.TEST.code())) {
            throw new IllegalArgumentException("expected test or live");
        }
        return Mode.TEST;
    }
}
