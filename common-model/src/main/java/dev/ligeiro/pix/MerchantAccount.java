package dev.ligeiro.pix;

/** The receiver of a BR Code's money (object 26): a Pix key, or a URL that returns the payment data. */
public sealed interface MerchantAccount {

    /** A static code: a Pix key of at most 77 characters and a text for the payer, {@code ""} for none. */
    record StaticKey(String key, String description) implements MerchantAccount {

        private static final int KEY_LENGTH_MAX = 77;
        private static final int TEMPLATE_LENGTH_MAX = 99;
        private static final int HEADER_LENGTH = 4;

        public StaticKey {
            if (key.isBlank() || key.length() > KEY_LENGTH_MAX || !Ascii.isPrintable(key)) {
                throw new IllegalArgumentException("expected a Pix key of 1 to 77 printable ASCII characters");
            }
            if (description.length() > descriptionLengthMax(key) || !Ascii.isPrintable(description)) {
                throw new IllegalArgumentException(
                        "expected a description of printable ASCII characters that fits into object 26 beside the key");
            }
        }

        public static StaticKey of(PixKey key) {
            return new StaticKey(key.value(), "");
        }

        private static int descriptionLengthMax(String key) {
            int used = HEADER_LENGTH + BrCode.PIX.length() + HEADER_LENGTH + key.length();
            return Math.max(0, TEMPLATE_LENGTH_MAX - used - HEADER_LENGTH);
        }

        @Override
        public String toString() {
            return "StaticKey[hidden]";
        }
    }

    /** A dynamic code: the URL of the payment data without its scheme, at most 77 characters. */
    record DynamicLocation(String url) implements MerchantAccount {

        private static final int URL_LENGTH_MAX = 77;

        public DynamicLocation {
            if (url.isEmpty() || url.length() > URL_LENGTH_MAX || !Ascii.isPrintable(url) || url.contains(" ")) {
                throw new IllegalArgumentException(
                        "expected a URL of 1 to 77 printable ASCII characters without spaces");
            }
            if (url.contains("://")) {
                throw new IllegalArgumentException("expected a URL without its scheme");
            }
        }
    }
}
