package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.loadtest.generate.Mix;
import java.util.Arrays;
import java.util.Locale;

/** What may be measured. */
enum Scenario {
    /** Creating cashins that stay pending: 201 with a QR image. */
    CREATE(Mix.CREATE),
    /** Cashins that are paid at once: create → paid → webhook received. */
    PAY(Mix.PAY),
    /** Cashouts: create → in_process → paid, a webhook for each. */
    CASHOUT(Mix.CASHOUTS),
    SHOW(Mix.SHOWS),
    LIST(Mix.LISTS),
    MIXED(Mix.ALL);

    private final Mix mix;

    Scenario(Mix mix) {
        this.mix = mix;
    }

    Mix mix() {
        return mix;
    }

    String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Scenario fromCode(String code) {
        return Arrays.stream(values())
                .filter(scenario -> scenario.code().equals(code))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(code + " (expected: one of "
                        + Arrays.stream(values()).map(Scenario::code).toList() + " or startup)"));
    }
}
