package dev.ligeiro.desk.merchant;

import dev.ligeiro.pix.BrCode;
import dev.ligeiro.pix.MerchantAccount;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.pix.TaxId;
import dev.ligeiro.webhook.AllowedNetworks;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A text, or each entry of a list, that one of our types can read. */
@Constraint(validatedBy = ReadableText.Rule.class)
@Retention(RetentionPolicy.RUNTIME)
public @interface ReadableText {

    Kind value();

    String message() default "";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** What a text is, with its normal form. */
    enum Kind {
        /** Something is left of it in a BR Code, which contains only ASCII. */
        BR_CODE(
                text -> BrCode.of(new MerchantAccount.DynamicLocation("example.com/1"), text, text)
                        .toString(),
                "expected Latin letters, which a BR Code can contain"),
        NETWORK(
                text -> AllowedNetworks.parse(List.of(text)).networks().stream()
                        .map(Object::toString)
                        .collect(Collectors.joining()),
                "expected addresses such as 192.0.2.7 and networks such as 10.0.0.0/8, without bits beyond the prefix length"),
        TAX_ID(text -> TaxId.parse(text).value(), "expected a CPF or CNPJ"),
        PIX_KEY(Kind::key, "expected an e-mail address, a CPF or CNPJ, a UUID, or a phone number that begins with +55");

        private static final int EVP_LENGTH = 36;

        private final UnaryOperator<String> normal;
        private final String expected;

        Kind(UnaryOperator<String> normal, String expected) {
            this.normal = normal;
            this.expected = expected;
        }

        /** Each of the texts once; null for null. */
        public @Nullable List<String> normal(@Nullable List<String> texts) {
            return texts == null ? null : texts.stream().map(normal).distinct().toList();
        }

        /** The type of a key follows from its form. */
        private static String key(String text) {
            if (text.contains("@")) {
                return PixKey.parse(PixKey.Type.EMAIL, text).value();
            }
            if (text.startsWith("+")) {
                return PixKey.parse(PixKey.Type.PHONE, text).value();
            }
            return text.length() == EVP_LENGTH
                    ? PixKey.parse(PixKey.Type.EVP, text).value()
                    : TaxId.parse(text).value();
        }
    }

    final class Rule implements ConstraintValidator<ReadableText, Object> {

        private Kind kind = Kind.BR_CODE;

        @Override
        public void initialize(ReadableText text) {
            this.kind = text.value();
        }

        @Override
        public boolean isValid(@Nullable Object given, ConstraintValidatorContext context) {
            String place = "";
            if (given instanceof List<?> texts) {
                int wrong = 0;
                while (wrong < texts.size() && isReadable(texts.get(wrong))) {
                    wrong++;
                }
                if (wrong == texts.size()) {
                    return true;
                }
                place = ", unlike entry " + (wrong + 1);
            } else if (given == null || isReadable(given)) {
                return true;
            }
            context.disableDefaultConstraintViolation();
            context.buildConstraintViolationWithTemplate(kind.expected + place).addConstraintViolation();
            return false;
        }

        private boolean isReadable(@Nullable Object text) {
            try {
                return text != null && !kind.normal.apply(text.toString()).isEmpty();
            } catch (IllegalArgumentException malformed) {
                return false;
            }
        }
    }
}
