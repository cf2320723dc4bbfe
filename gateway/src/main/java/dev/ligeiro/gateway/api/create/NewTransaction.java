package dev.ligeiro.gateway.api.create;

import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.pix.BrCode;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.pix.MerchantAccount;
import dev.ligeiro.pix.PayloadLocation;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.PayerRules;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Builds the pending transaction of a request, with its ids, commission, BR Code and the name of its rail. */
@Component
final class NewTransaction {

    private static final MerchantAccount ACCOUNT =
            MerchantAccount.StaticKey.of(new PixKey(PixKey.Type.EVP, "c0ffee00-0000-4000-8000-000000000000"));
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final int BITS = 5;
    private static final int MASK = (1 << BITS) - 1;
    private static final int TXID_LENGTH = 25;
    private static final int CENTS_PER_REAL = 100;
    private static final int EXPIRES_AT_ONCE = 15;

    private final Clock clock;
    private final String ispb;
    private final Duration installationExpiresIn;

    NewTransaction(Clock clock, GatewayProperties properties) {
        this.clock = clock;
        this.ispb = properties.ispb();
        this.installationExpiresIn = properties.expiresIn();
    }

    /**
     * @param key the request's idempotency key; null when not given
     * @param rail the name of the rail that serves it
     * @param location the one that the code of a live cashin names; null for every other transaction
     */
    Transaction of(
            CreateRequest request,
            Caller caller,
            @Nullable String key,
            String rail,
            @Nullable PayloadLocation location) {
        TransactionId id = TransactionId.at(clock.instant());
        Instant createdAt = id.createdAt();
        Terms terms = new Terms(
                request.amount(),
                caller.fee(request.operation()).on(request.amount()),
                request.payer(),
                request.description(),
                request.platform(),
                request.reference(),
                request.extra(),
                request.pixKey(),
                brCode(id, request, caller, location),
                location == null ? null : location.id(),
                isTest(caller)
                        ? EndToEndId.generate(ispb, createdAt, ThreadLocalRandom.current())
                                .value()
                        : Terms.NO_END_TO_END_ID,
                createdAt.plus(validity(request, caller)),
                rail,
                caller.commissionReturns(),
                request.returnUrl(),
                request.fiscal(),
                payerRules(request, caller));
        return Transaction.create(
                id, caller.tenant(), request.operation(), terms, key, new Requester(caller.keyId(), null));
    }

    /** The merchant's, with what the request says. */
    private static @Nullable PayerRules payerRules(CreateRequest request, Caller caller) {
        if (request.operation() == Operation.CASHOUT) {
            return null;
        }
        PayerRules rules = caller.payerRules() == null ? PayerRules.NONE : caller.payerRules();
        PayerRules agreed = request.payerMustMatch() == null ? rules : rules.withMustMatch(request.payerMustMatch());
        return agreed.equals(PayerRules.NONE) ? null : agreed;
    }

    private static boolean isTest(Caller caller) {
        return caller.tenant().mode() == Mode.TEST;
    }

    private static @Nullable String brCode(
            TransactionId id, CreateRequest request, Caller caller, @Nullable PayloadLocation location) {
        if (location != null) {
            Caller.Receiver receiver = caller.receiver();
            return BrCode.of(location.address(), receiver.name(), receiver.city())
                    .encode();
        }
        return request.operation() == Operation.CASHIN && isTest(caller)
                ? simulatorCode(id, request.amount(), caller.receiver())
                : null;
    }

    private Duration validity(CreateRequest request, Caller caller) {
        boolean isSimulated = request.operation() == Operation.CASHIN && isTest(caller);
        Duration agreed = expiresIn(request, caller);
        return isSimulated ? simulatorValidity(request.amount(), agreed) : agreed;
    }

    /** The request's own, else the merchant's, else the installation's. */
    private Duration expiresIn(CreateRequest request, Caller caller) {
        if (request.expiresIn() != null) {
            return request.expiresIn();
        }
        return caller.expiresIn() == null ? installationExpiresIn : caller.expiresIn();
    }

    /**
     * The static BR Code of a test cashin, with the amount and a txid derived from the transaction id. No account has its Pix key, so a real
     * bank refuses to pay it. The code of a live cashin names a location of its rail.
     */
    static String simulatorCode(TransactionId id, Amount amount, Caller.Receiver receiver) {
        return BrCode.of(ACCOUNT, receiver.name(), receiver.city())
                .withAmountCents(amount.cents())
                .withTxid(txid(id.value()))
                .encode();
    }

    /** How long the charge of a test cashin can be paid: not at all for an amount whose cents are 15, else as agreed. */
    static Duration simulatorValidity(Amount amount, Duration agreed) {
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
