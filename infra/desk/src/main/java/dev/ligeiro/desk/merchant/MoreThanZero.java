package dev.ligeiro.desk.merchant;

import dev.ligeiro.transaction.Amount;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.jspecify.annotations.Nullable;

/** An amount above 0: a limit of 0 would say "none" where a stop is meant. */
@Constraint(validatedBy = MoreThanZero.Rule.class)
@Retention(RetentionPolicy.RUNTIME)
@interface MoreThanZero {

    String message() default "expected an amount above 0";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    final class Rule implements ConstraintValidator<MoreThanZero, Amount> {

        @Override
        public boolean isValid(@Nullable Amount amount, ConstraintValidatorContext context) {
            return amount == null || amount.cents() > 0;
        }
    }
}
