package dev.ligeiro.support;

import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** Checks {@link Bounds}. A value that is not set is valid. */
public final class BoundsValidator implements ConstraintValidator<Bounds, Object> {

    private String min = "";
    private String max = "";

    @Override
    public void initialize(Bounds bounds) {
        min = bounds.min();
        max = bounds.max();
    }

    /** @throws IllegalArgumentException if the value is neither a whole number nor a duration */
    @Override
    public boolean isValid(@Nullable Object value, ConstraintValidatorContext context) {
        if (value == null) {
            return true;
        }
        if (value instanceof Duration duration) {
            return isBetween(duration, DurationStyle.detectAndParse(min), DurationStyle.detectAndParse(max));
        }
        if (value instanceof Integer || value instanceof Long) {
            return isBetween(((Number) value).longValue(), Long.parseLong(min), Long.parseLong(max));
        }
        throw new IllegalArgumentException(value.getClass() + " (expected: a whole number or a duration)");
    }

    private static <T extends Comparable<T>> boolean isBetween(T value, T min, T max) {
        return value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    }
}
