package dev.ligeiro.desk.merchant;

import dev.ligeiro.pix.PixKey;
import dev.ligeiro.pix.TaxId;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A list of those who may get money. An empty one is refused: it could mean that all or that none are allowed. */
@Constraint(validatedBy = Receivers.Rule.class)
@Retention(RetentionPolicy.RUNTIME)
@interface Receivers {

    Kind value();

    String message() default "expected 1 to 1000 of them, or no such field";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** What the list has, and how it is stored. */
    enum Kind {
        KEYS(Receivers.Kind::key),
        DOCUMENTS(text -> TaxId.parse(text).value());

        private static final int EVP_LENGTH = 36;

        private final UnaryOperator<String> normal;

        Kind(UnaryOperator<String> normal) {
            this.normal = normal;
        }

        /** @throws IllegalArgumentException with the expected form as its message */
        String normal(String text) {
            return normal.apply(text);
        }

        /** The key in its normal form. Its type follows from its form; a phone number begins with +55. */
        private static String key(String text) {
            if (text.contains("@")) {
                return PixKey.parse(PixKey.Type.EMAIL, text).value();
            }
            if (text.startsWith("+")) {
                return PixKey.parse(PixKey.Type.PHONE, text).value();
            }
            if (text.length() == EVP_LENGTH) {
                return PixKey.parse(PixKey.Type.EVP, text).value();
            }
            try {
                return TaxId.parse(text).value();
            } catch (IllegalArgumentException malformed) {
                throw new IllegalArgumentException(
                        "expected an e-mail address, a CPF or CNPJ, a UUID, or a phone number that begins with +55",
                        malformed);
            }
        }
    }

    final class Rule implements ConstraintValidator<Receivers, List<@Nullable String>> {

        private static final int MAX = 1_000;

        private Kind kind = Kind.KEYS;

        @Override
        public void initialize(Receivers receivers) {
            this.kind = receivers.value();
        }

        @Override
        public boolean isValid(@Nullable List<@Nullable String> given, ConstraintValidatorContext context) {
            if (given == null) {
                return true;
            }
            for (int i = 0; i < given.size() && given.size() <= MAX; i++) {
                try {
                    String text = given.get(i);
                    kind.normal(text == null ? "" : text);
                } catch (IllegalArgumentException malformed) {
                    context.disableDefaultConstraintViolation();
                    context.buildConstraintViolationWithTemplate("entry " + (i + 1) + ": " + malformed.getMessage())
                            .addConstraintViolation();
                    return false;
                }
            }
            return !given.isEmpty() && given.size() <= MAX;
        }
    }
}
