package dev.ligeiro.pix;

/** The receiver of a BR Code's money (object 26): a Pix key, or a URL that returns the payment data. */
public sealed interface MerchantAccount {

    /** A static code: a Pix key. */
    record StaticKey(String key) implements MerchantAccount {

        private static final int KEY_LENGTH_MAX = 77;

        public StaticKey {
            if (key.isBlank() || key.length() > KEY_LENGTH_MAX || !Ascii.isPrintable(key)) {
                throw new IllegalArgumentException("expected a Pix key of 1 to 77 printable ASCII characters");
            }
        }

        public static StaticKey of(PixKey key) {
            return new StaticKey(key.value());
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
