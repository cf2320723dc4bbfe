package dev.ligeiro.gateway.admin;

import dev.ligeiro.gateway.http.Fields;
import dev.ligeiro.transaction.Mode;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the field {@code mode}. */
final class ModeField {

    private ModeField() {}

    /** Null when the field has an error. */
    static @Nullable Mode required(Fields fields, Set<Mode> open) {
        return fields.requiredParsed("mode", text -> parse(text, open));
    }

    private static Mode parse(String text, Set<Mode> open) {
        Mode mode = Stream.of(Mode.values())
                .filter(each -> each.code().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected test or live"));
        if (!open.contains(mode)) {
            throw new IllegalArgumentException("expected test: this installation has no live rail");
        }
        return mode;
    }
}
