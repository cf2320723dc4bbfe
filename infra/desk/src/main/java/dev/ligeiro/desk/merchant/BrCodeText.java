package dev.ligeiro.desk.merchant;

import dev.ligeiro.pix.BrCode;
import dev.ligeiro.pix.MerchantAccount;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.jspecify.annotations.Nullable;

/** A text of which something is left in a BR Code, which contains only ASCII. */
@Constraint(validatedBy = BrCodeText.Rule.class)
@Retention(RetentionPolicy.RUNTIME)
public @interface BrCodeText {

    String message() default "expected Latin letters, which a BR Code can contain";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    final class Rule implements ConstraintValidator<BrCodeText, String> {

        private static final MerchantAccount ANY_ACCOUNT = new MerchantAccount.DynamicLocation("example.com/1");

        @Override
        public boolean isValid(@Nullable String text, ConstraintValidatorContext context) {
            try {
                return text == null
                        || !BrCode.of(ANY_ACCOUNT, text, text).toString().isEmpty();
            } catch (IllegalArgumentException nothingLeft) {
                return false;
            }
        }
    }
}
