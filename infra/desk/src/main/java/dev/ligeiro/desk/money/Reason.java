package dev.ligeiro.desk.money;

import dev.ligeiro.desk.http.ByForm;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Amount;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/** The body of a change that has nothing but the operator's reason, which the audit keeps. */
public record Reason(@NotBlank @Size(max = LENGTH_MAX) String reason) {

    static final int LENGTH_MAX = 255;

    /** @param amount the sum, to confirm it; a program may leave it out */
    record WithSum(
            @NotNull(groups = ByForm.class) @Schema(requiredMode = Schema.RequiredMode.NOT_REQUIRED) @Nullable
                    Amount amount,
            @NotBlank @Size(max = LENGTH_MAX) String reason) {}

    /** @throws Problem 422 if another sum was given than the one that is decided about */
    static void requireSum(@Nullable Amount given, @Nullable Amount sum) {
        if (given != null && !given.equals(sum)) {
            throw Problem.invalid("amount", "expected the sum that is decided about");
        }
    }
}
