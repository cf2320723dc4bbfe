package dev.ligeiro.infra.loadtest.merchant;

import static java.util.Collections.nCopies;

import dev.ligeiro.pix.BrCode;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.pix.MerchantAccount.StaticKey;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Party;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Terms;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a merchant over many whole days, as lists find them in a real installation: customers return, names are as common as
 * in Brazil, half of the transactions have one platform, and one of seven is a cashout. Transaction {@code n} is the same at each call, but
 * for its id's random bits; ids are in the order of their numbers, but within a millisecond. The processor can change each of them.
 */
public final class MerchantHistory {

    /** Of the dates in list filters, as the gateway has it by default. */
    public static final ZoneId ZONE = ZoneId.of("America/Sao_Paulo");

    private static final Duration DAY = Duration.ofDays(1);
    private static final int PERMILLE = 1_000;
    /** The statuses of a thousand cashins. */
    private static final List<Status> CASHIN_STATUSES = List.of(
                    nCopies(800, Status.PAID),
                    nCopies(120, Status.EXPIRED),
                    nCopies(25, Status.PENDING),
                    nCopies(20, Status.CANCELED),
                    nCopies(15, Status.REFUND),
                    nCopies(15, Status.DENIED),
                    nCopies(5, Status.IN_ANALYSIS))
            .stream()
            .flatMap(List::stream)
            .toList();

    private static final List<Status> CASHOUT_STATUSES =
            List.of(nCopies(940, Status.PAID), nCopies(50, Status.DENIED), nCopies(10, Status.CANCELED)).stream()
                    .flatMap(List::stream)
                    .toList();

    private static final int CASHOUTS = 143;
    private static final int WITHOUT_REFERENCE = 200;
    private static final int PLATFORMS = 5;
    private static final int PER_CUSTOMER = 6;
    private static final int CENTS_MAX = 100_000;
    private static final int TXID_LENGTH = 25;
    private static final long PHONES = 100_000_000L;
    private static final int AREA_CODES = 89;
    private static final long CPF_BASES = 999_999_999L;
    /** No row expires by itself during a run. */
    private static final Duration EXPIRES_LATE = Duration.ofDays(365);

    private static final Duration EXPIRES_AFTER = Duration.ofHours(1);
    private static final int FINISHED_SECONDS_MAX = 600;
    private static final Duration REFUNDED_AFTER = Duration.ofHours(5);

    /** As long as the codes of a gateway. */
    private static final BrCode CODE = BrCode.of(
            StaticKey.of(new PixKey(PixKey.Type.EVP, "c0ffee00-0000-4000-8000-000000000000")), "Loja", "Sao Paulo");

    private final Transaction sample;
    private final String ispb;
    private final Instant from;
    private final int days;
    private final long count;

    /**
     * @param sample a cashin of the merchant; the transactions have its tenant and commission, and half of them its platform
     * @param from the first day's beginning in local time
     */
    public MerchantHistory(Transaction sample, Instant from, int days, long count) {
        this.sample = sample;
        this.ispb = sample.terms().endToEndId().substring(1, 9);
        this.from = from;
        this.days = days;
        this.count = count;
    }

    /** The whole days before today. */
    public static MerchantHistory untilToday(Transaction sample, int days, long count) {
        LocalDate today = LocalDate.ofInstant(sample.createdAt(), ZONE);
        return new MerchantHistory(
                sample, today.minusDays(days).atStartOfDay(ZONE).toInstant(), days, count);
    }

    public Transaction sample() {
        return sample;
    }

    public Instant from() {
        return from;
    }

    public int days() {
        return days;
    }

    public long count() {
        return count;
    }

    /** @param number from 0, the oldest */
    public Transaction get(long number) {
        RandomGenerator random = new SplittableRandom(
                CallIdentifiers.scramble(number) ^ sample.tenant().key());
        Instant createdAt = from.plusMillis((long) ((double) number / count * days * DAY.toMillis()));
        TransactionId id = TransactionId.at(createdAt);
        boolean cashout = random.nextInt(PERMILLE) < CASHOUTS;
        List<Status> statuses = cashout ? CASHOUT_STATUSES : CASHIN_STATUSES;
        Status status = statuses.get(random.nextInt(statuses.size()));
        Terms terms = terms(id, number, cashout, status, random);
        Transaction pending = Transaction.create(
                        id, sample.tenant(), cashout ? Operation.CASHOUT : Operation.CASHIN, terms, null, null)
                .accept();
        return moved(pending, status, random);
    }

    private Terms terms(TransactionId id, long number, boolean cashout, Status status, RandomGenerator random) {
        Amount amount = new Amount(1 + random.nextInt(CENTS_MAX));
        Party payer = payer(random.nextLong(Math.max(1, count / PER_CUSTOMER)));
        boolean open = status == Status.PENDING || status == Status.IN_ANALYSIS;
        return new Terms(
                amount,
                sample.terms().commission(),
                payer,
                "Pedido " + number + " da loja",
                platform(random.nextInt(2 * PLATFORMS)),
                random.nextInt(PERMILLE) < WITHOUT_REFERENCE ? null : "pedido-" + number,
                "Observação do pedido " + Long.toHexString(random.nextLong()),
                cashout ? pixKey(payer, random) : null,
                cashout ? null : code(id, amount),
                null,
                EndToEndId.generate(ispb, id.createdAt(), random).value(),
                id.createdAt().plus(open ? EXPIRES_LATE : EXPIRES_AFTER),
                sample.terms().rail(),
                sample.terms().commissionReturns(),
                null);
    }

    /** The sample's in half of the draws; the others are not registered, which only creates would notice. */
    private UUID platform(int draw) {
        return draw >= PLATFORMS
                ? sample.terms().platform()
                : UUID.nameUUIDFromBytes(
                        (sample.tenant().key() + "-" + draw % (PLATFORMS - 1)).getBytes(StandardCharsets.UTF_8));
    }

    private Party payer(long customer) {
        RandomGenerator random = new SplittableRandom(CallIdentifiers.scramble(~customer));
        String name = BrazilianNames.next(random);
        String phone =
                "+55" + (11 + random.nextInt(AREA_CODES)) + "9" + CallIdentifiers.padded(random.nextLong(PHONES), 8);
        return new Party(
                name,
                "cliente" + CallIdentifiers.padded(customer, 8) + "@exemplo.com.br",
                phone,
                Customers.cpf(1 + random.nextLong(CPF_BASES)));
    }

    private static PixKey pixKey(Party payer, RandomGenerator random) {
        return switch (random.nextInt(4)) {
            case 0 -> new PixKey(PixKey.Type.CPF, payer.document());
            case 1 -> new PixKey(PixKey.Type.PHONE, payer.phone());
            case 2 -> new PixKey(PixKey.Type.EMAIL, payer.email());
            default -> new PixKey(PixKey.Type.EVP, new UUID(random.nextLong(), random.nextLong()).toString());
        };
    }

    private String code(TransactionId id, Amount amount) {
        String txid = id.toString().replace("-", "").substring(0, TXID_LENGTH);
        return CODE.withTxid(txid).withAmountCents(amount.cents()).encode();
    }

    private static Transaction moved(Transaction pending, Status status, RandomGenerator random) {
        Instant at = pending.createdAt().plusMillis(1_000L * random.nextInt(1, FINISHED_SECONDS_MAX));
        return switch (status) {
            case PENDING -> pending;
            case PAID -> paid(pending, at);
            case REFUND -> refunded(paid(pending, at), at.plus(REFUNDED_AFTER));
            case EXPIRED -> pending.moveTo(status, pending.terms().expiresAt(), Source.SYSTEM);
            case CANCELED -> pending.moveTo(status, at, Source.MERCHANT);
            case DENIED, IN_ANALYSIS, IN_PROCESS -> pending.moveTo(status, at, Source.RAIL);
        };
    }

    private static Transaction paid(Transaction pending, Instant at) {
        Transaction before = pending.operation() == Operation.CASHOUT
                ? pending.moveTo(Status.IN_PROCESS, at.minusMillis(500), Source.RAIL)
                : pending;
        Settlement settlement = new Settlement(pending.terms().endToEndId(), at);
        return before.with(entry(Status.PAID, at, settlement));
    }

    private static Entry entry(Status status, Instant at, @Nullable Settlement settlement) {
        return new Entry.StatusChanged(status, at, Source.RAIL, null, settlement, null);
    }

    private static Transaction refunded(Transaction paid, Instant at) {
        RefundId refund = RefundId.at(at);
        return paid.with(
                        new Entry.RefundRequested(refund, paid.terms().amount(), Source.MERCHANT, null, null, at, null))
                .with(new Entry.RefundMade(refund, true, at.plusSeconds(1)));
    }
}
