package dev.ligeiro.desk.key;

import dev.ligeiro.webhook.AllowedNetworks;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An entry of {@link AllowedNetworks}; an empty one is none. */
@Constraint(validatedBy = NetworkOrAddress.Rule.class)
@Target(ElementType.TYPE_USE)
@Retention(RetentionPolicy.RUNTIME)
@interface NetworkOrAddress {

    String message() default
            "expected addresses such as 192.0.2.7 and networks such as 10.0.0.0/8, without bits beyond the prefix length";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    final class Rule implements ConstraintValidator<NetworkOrAddress, String> {

        @Override
        public boolean isValid(@Nullable String text, ConstraintValidatorContext context) {
            try {
                return text != null && !AllowedNetworks.parse(List.of(text)).isEmpty();
            } catch (IllegalArgumentException malformed) {
                return false;
            }
        }
    }
}
