package dev.ligeiro.desk.money;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/** The body of a change that has nothing but the operator's reason, which the audit keeps. */
public record Reason(@NotBlank @Size(max = LENGTH_MAX) @Nullable String reason) {

    static final int LENGTH_MAX = 255;
}
