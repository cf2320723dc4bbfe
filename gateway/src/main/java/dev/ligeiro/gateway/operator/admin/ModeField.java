package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Mode;
import org.jspecify.annotations.Nullable;

/** Reads the field {@code mode}. */
final class ModeField {

    private static final Codes<Mode> MODES = new Codes<>(Mode.class);

    private ModeField() {}

    /** Null when the field has an error. */
    static @Nullable Mode required(Fields fields) {
        return fields.requiredParsed("mode", ModeField::parse);
    }

    private static Mode parse(String text) {
        return MODES.find(text).orElseThrow(() -> new IllegalArgumentException("expected test or live"));
    }
}
