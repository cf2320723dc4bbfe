package dev.ligeiro.desk.merchant;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** A percentage from 0 to 100 with up to 4 decimals, as a string. */
@Pattern(regexp = "[0-9]{1,10}(\\.[0-9]{1,4})?")
@DecimalMax("100")
@ReportAsSingleViolation
@Constraint(validatedBy = {})
@Retention(RetentionPolicy.RUNTIME)
@interface Percent {

    String message() default "expected 0 to 100 with up to 4 decimals, as a string";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}
