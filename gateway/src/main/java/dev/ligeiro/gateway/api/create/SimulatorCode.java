package dev.ligeiro.gateway.api.create;

import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.pix.BrCode;
import dev.ligeiro.pix.MerchantAccount;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.util.UUID;

/**
 * The static BR Code of a test cashin, with the amount and a txid derived from the transaction id. No account has its Pix key, so a real
 * bank refuses to pay it. The code of a live cashin names a location of its rail.
 */
final class SimulatorCode {

    private static final MerchantAccount ACCOUNT =
            MerchantAccount.StaticKey.of(new PixKey(PixKey.Type.EVP, "c0ffee00-0000-4000-8000-000000000000"));
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final int BITS = 5;
    private static final int MASK = (1 << BITS) - 1;
    private static final int TXID_LENGTH = 25;
    private static final int CENTS_PER_REAL = 100;
    private static final int EXPIRES_AT_ONCE = 15;

    private SimulatorCode() {}

    static String of(TransactionId id, Amount amount, Caller.Receiver receiver) {
        return BrCode.of(ACCOUNT, receiver.name(), receiver.city())
                .withAmountCents(amount.cents())
                .withTxid(txid(id.value()))
                .encode();
    }

    /** How long the charge of a test cashin can be paid: not at all for an amount whose cents are 15, else as agreed. */
    static Duration validity(Amount amount, Duration agreed) {
        return amount.cents() % CENTS_PER_REAL == EXPIRES_AT_ONCE ? Duration.ZERO : agreed;
    }

    /** The 122 bits of a UUID besides version and variant, in 25 digits of base 32: as unique as the id. */
    static String txid(UUID id) {
        long high = id.getMostSignificantBits();
        long most = (high & 0xFFFF_FFFF_FFFF_0000L) >>> 4 | (high & 0xFFFL);
        long least = id.getLeastSignificantBits() << 2 >>> 2;
        char[] digits = new char[TXID_LENGTH];
        for (int i = TXID_LENGTH - 1; i >= 0; i--) {
            digits[i] = DIGITS.charAt((int) (least & MASK));
            least = least >>> BITS | (most & MASK) << (Long.SIZE - 2 - BITS);
            most >>>= BITS;
        }
        return new String(digits);
    }
}
