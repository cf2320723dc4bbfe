package dev.ligeiro.support;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A whole number or a duration between two bounds, which are included. Its message names the key, as the operator writes it. */
@Constraint(validatedBy = BoundsValidator.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
public @interface Bounds {

    /** Such as {@code ligeiro.http.idle-timeout}. */
    String key();

    /** As in {@code application.yml}: {@code 1} or {@code 100ms}. */
    String min();

    /** As in {@code application.yml}: {@code 1000} or {@code 1h}. */
    String max();

    String message() default "{key}: ${validatedValue} (expected: {min} to {max})";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}
