package dev.ligeiro.processor.books;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.BookEvent;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeRules;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailReturn;
import dev.ligeiro.transaction.Redaction;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PostingRulesTest {

    private static final Instant AT = Transactions.CREATED_AT.plusSeconds(60);
    private static final RefundId REFUND = Transactions.REFUND;

    @Provide
    Arbitrary<List<Transaction>> lives() {
        return TransactionArbitraries.lives();
    }

    @Property
    void eachEventAddsAsMuchToTheRailAsToTheOtherAccounts(@ForAll("lives") List<Transaction> life) {
        assertThat(PostingRules.ofAll(last(life))).allSatisfy(posting -> {
            long others = posting.legs().entrySet().stream()
                    .filter(leg -> leg.getKey() != Account.RAIL)
                    .mapToLong(Map.Entry::getValue)
                    .sum();
            assertThat(others).isEqualTo(posting.leg(Account.RAIL));
        });
    }

    @Property
    void theMerchantsAccountEqualsWhatItsTransactionSays(@ForAll("lives") List<Transaction> life) {
        for (Transaction transaction : life) {
            assertThat(sum(transaction, Account.MERCHANT)).isEqualTo(said(transaction));
        }
    }

    @Property
    void nothingIsInFlightWithoutAnOpenOutcome(@ForAll("lives") List<Transaction> life) {
        for (Transaction transaction : life) {
            long asked = askedFor(transaction);
            boolean isUnderWay = transaction.status() == Status.IN_PROCESS;

            assertThat(sum(transaction, Account.REFUND_IN_FLIGHT)).isEqualTo(asked);
            assertThat(sum(transaction, Account.BLOCKED)).isBetween(0L, blockedAtMost(transaction));
            assertThat(sum(transaction, Account.OUT_IN_FLIGHT))
                    .isEqualTo(isUnderWay ? amount(transaction) + commission(transaction) : 0);
        }
    }

    @Property
    void aPostingIsThatOfItsMessageAndNeverChanges(@ForAll("lives") List<Transaction> life) {
        Transaction latest = last(life);
        for (Transaction then : life) {
            List<Posting> now = PostingRules.ofAll(then);
            assertThat(PostingRules.ofAll(latest)).containsAll(now);
            assertThat(PostingRules.ofAll(Redaction.of(then))).isEqualTo(now);
            assertThat(IntStream.rangeClosed(1, then.history().sequence())
                            .mapToObj(sequence -> MessageJson.write(TransactionEvent.of(then, sequence)))
                            .map(MessageJson::readEvent)
                            .flatMap(event -> PostingRules.of(event).stream()))
                    .isSubsetOf(now);
        }
    }

    private static final UUID DISPUTE = new UUID(1, 2);

    /** Amount 100.00, commission 1.51. */
    static Stream<Arguments> histories() {
        Transaction cashin = Transactions.cashin(Transactions.ID, new Amount(10_000));
        Transaction cashout = Transactions.cashout(Transactions.ID, new Amount(10_000));
        Transaction paid = cashin.moveTo(Status.PAID, AT, Source.RAIL);
        Transaction inProcess = cashout.moveTo(Status.IN_PROCESS, AT, Source.SYSTEM);
        Transaction returning = Transactions.like(
                        inProcess.moveTo(Status.PAID, AT, Source.RAIL).with(asked(3_333, Source.RAIL), made(false)))
                .commissionReturns(true)
                .build();
        Transaction lost = paid.with(disputed(), new Entry.DisputeClosed(DISPUTE, Dispute.Status.LOST, AT));
        return Stream.of(
                Arguments.of("a cashin is paid", paid, "cashin rail 10000 merchant 9849 fees 151"),
                Arguments.of(
                        "a cashin is paid late",
                        cashin.moveTo(Status.EXPIRED, AT, Source.SYSTEM).moveTo(Status.PAID, AT, Source.RAIL),
                        "cashin rail 10000 merchant 9849 fees 151"),
                Arguments.of("a cashin is denied", cashin.moveTo(Status.DENIED, AT, Source.RAIL), "none"),
                Arguments.of("a cashout goes out", inProcess, "cashout merchant -10151 out_in_flight 10151"),
                Arguments.of(
                        "a cashout is paid",
                        inProcess.moveTo(Status.PAID, AT, Source.RAIL),
                        "cashout rail -10000 fees 151 out_in_flight -10151"),
                Arguments.of(
                        "a cashout in process is denied",
                        inProcess.moveTo(Status.DENIED, AT, Source.RAIL),
                        "cashout_returned merchant 10151 out_in_flight -10151"),
                Arguments.of("a cashout is denied before", cashout.moveTo(Status.DENIED, AT, Source.SYSTEM), "none"),
                Arguments.of("a cashout comes back", sentBack(inProcess), "cashout_returned rail 3333 merchant 3333"),
                Arguments.of("and its commission too", returning, "cashout_returned rail 3333 merchant 3383 fees -50"),
                Arguments.of(
                        "a refund is made",
                        paid.with(asked(400, Source.MERCHANT), made(false)),
                        "refund rail -400 refund_in_flight -400"),
                Arguments.of(
                        "the system refunds",
                        paid.with(asked(400, Source.SYSTEM), made(false)),
                        "refund rail -400 refund_in_flight -400"),
                Arguments.of("another has paid", paid.with(new Entry.PayerMismatch(AT)), "none"),
                Arguments.of(
                        "a refund fails",
                        paid.with(asked(400, Source.MERCHANT), new Entry.RefundFailed(REFUND, "rejected_by_rail", AT)),
                        "refund_failed merchant 400 refund_in_flight -400"),
                Arguments.of("a payer disputes it", paid.with(disputed()), "dispute_blocked merchant -700 blocked 700"),
                Arguments.of(
                        "the merchant defends itself",
                        paid.with(
                                disputed(), new Entry.DisputeUpdated(DISPUTE, Dispute.Status.DEFENDED, null, null, AT)),
                        "none"),
                Arguments.of(
                        "a dispute ends",
                        paid.with(disputed(), new Entry.DisputeClosed(DISPUTE, Dispute.Status.WON, AT)),
                        "dispute_released merchant 700 blocked -700"),
                Arguments.of("a dispute is lost", lost, "none"),
                Arguments.of(
                        "and the rail moves a part back",
                        lost.with(asked(400, Source.RAIL), made(false)),
                        "refund rail -400 merchant -400, dispute_released merchant 400 blocked -400"),
                Arguments.of(
                        "or nothing in time",
                        lost.with(new Entry.DisputeReleased(DISPUTE, AT)),
                        "dispute_released merchant 700 blocked -700"),
                Arguments.of(
                        "a dispute is lost after the rail has moved its money back",
                        paid.with(
                                disputed(),
                                asked(700, Source.RAIL),
                                made(false),
                                new Entry.DisputeClosed(DISPUTE, Dispute.Status.LOST, AT)),
                        "dispute_released merchant 700 blocked -700"),
                Arguments.of(
                        "a dispute is lost, and the rail had moved money back before it began",
                        paid.with(returnedAt(AT.minusSeconds(1), REFUND, 700))
                                .with(disputed(), new Entry.DisputeClosed(DISPUTE, Dispute.Status.LOST, AT)),
                        "none"),
                Arguments.of(
                        "two are lost, one is released, and the rail moves the money of the other one back",
                        lost.with(opened(3, 700), new Entry.DisputeClosed(new UUID(1, 3), Dispute.Status.LOST, AT))
                                .with(new Entry.DisputeReleased(DISPUTE, AT))
                                .with(returnedAt(AT, REFUND, 700)),
                        "refund rail -700 merchant -700, dispute_released merchant 700 blocked -700"),
                Arguments.of(
                        "a refund of the rest fails while it is disputed",
                        paid.with(
                                disputed(),
                                asked(10_000, Source.MERCHANT),
                                new Entry.RefundFailed(REFUND, "rejected_by_rail", AT)),
                        "refund_failed merchant 10000 refund_in_flight -10000, dispute_blocked merchant -700 blocked 700"),
                Arguments.of(
                        "the rail refunds by itself",
                        paid.with(asked(400, Source.RAIL), made(false)),
                        "refund rail -400 merchant -400"));
    }

    private static Entry[] returnedAt(Instant at, RefundId id, long cents) {
        return entries(
                Entry.RefundRequested.byRail(id, new Amount(cents), RailReturn.of("MED_OPERACIONAL", null), at),
                new Entry.RefundMade(id, false, at));
    }

    private static Entry disputed() {
        return new Entry.DisputeOpened(DISPUTE, new Amount(700), "claimed", null, null, AT, "I1", null, AT);
    }

    private static Transaction sentBack(Transaction inProcess) {
        return inProcess.moveTo(Status.PAID, AT, Source.RAIL).with(asked(3_333, Source.RAIL), made(false));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("histories")
    void theLastEventMoves(String name, Transaction transaction, String expected) {
        TransactionEvent event =
                TransactionEvent.of(transaction, transaction.history().sequence());

        assertThat(text(PostingRules.of(event))).isEqualTo(expected);
    }

    @Test
    void aRequestedRefundIsInFlight() {
        Transaction paid = Transactions.partlyRefundedCashin();
        Entry.RefundRequested requested =
                (Entry.RefundRequested) paid.history().entries().get(2);
        BookEvent event = MessageJson.readBookEvent(MessageJson.write(BookEvent.of(paid, requested)));

        assertThat(text(PostingRules.of(event))).isEqualTo("refund merchant -5000 refund_in_flight 5000");
    }

    @Test
    void aRequestedRefundTakesNothingThatIsBlocked() {
        Transaction disputed = Transactions.cashin(Transactions.ID, new Amount(10_000))
                .moveTo(Status.PAID, AT, Source.RAIL)
                .with(disputed(), asked(9_500, Source.MERCHANT));
        Entry.RefundRequested requested =
                (Entry.RefundRequested) disputed.history().entries().get(3);
        BookEvent event = MessageJson.readBookEvent(MessageJson.write(BookEvent.of(disputed, requested)));

        assertThat(text(PostingRules.of(event)))
                .isEqualTo("refund merchant -9500 refund_in_flight 9500, dispute_released merchant 200 blocked -200");
    }

    /** What happens to a paid cashin of 100.00 that is disputed. */
    private enum Step {
        A_OPENED,
        A_LOST,
        A_RETURNED_IN_PART,
        A_RETURNED,
        B_OPENED,
        B_WON,
        REFUND_ASKED,
        REFUND_MADE,
        OTHER_ASKED,
        OTHER_FAILED
    }

    @Provide
    Arbitrary<List<Step>> orders() {
        return Arbitraries.shuffle(Step.values()).map(PostingRulesTest::causesFirst);
    }

    private static List<Step> causesFirst(List<Step> shuffled) {
        List<Step> order = new ArrayList<>(shuffled);
        for (List<Step> cause : List.of(
                List.of(Step.A_OPENED, Step.A_LOST),
                List.of(Step.B_OPENED, Step.B_WON),
                List.of(Step.REFUND_ASKED, Step.REFUND_MADE),
                List.of(Step.OTHER_ASKED, Step.OTHER_FAILED))) {
            int first = order.indexOf(cause.get(0));
            int second = order.indexOf(cause.get(1));
            if (second < first) {
                Collections.swap(order, first, second);
            }
        }
        return order;
    }

    /** With the fault, the merchant could pay out the money of a lost dispute until the rail's return was booked. */
    @Property
    void moneyThatWillLeaveIsNeverAvailable(@ForAll("orders") List<Step> order, @ForAll boolean whole) {
        Transaction now =
                Transactions.cashin(Transactions.ID, new Amount(10_000)).moveTo(Status.PAID, AT, Source.RAIL);
        long end = 10_000 - commission(now) - (whole ? 10_000 : 4_000 + 2_000);
        List<Step> done = new ArrayList<>();
        for (Step step : order) {
            now = now.with(entries(step, now, whole));
            done.add(step);
            long blocked = sum(now, Account.BLOCKED);
            assertThat(blocked).as("%s", done).isBetween(0L, blockedAtMost(now));
            if (done.contains(Step.A_OPENED) && (whole || done.contains(Step.REFUND_ASKED))) {
                assertThat(sum(now, Account.MERCHANT)).as("%s", done).isLessThanOrEqualTo(end);
            }
            assertThat(sum(now, Account.MERCHANT)).as("%s", done).isGreaterThanOrEqualTo(-commission(now));
        }
        assertThat(sum(now, Account.BLOCKED)).isZero();
        assertThat(sum(now, Account.MERCHANT)).isEqualTo(end);
    }

    /** @param whole whether all is claimed; the merchant then refunds nothing */
    private static Entry[] entries(Step step, Transaction now, boolean whole) {
        return switch (step) {
            case A_OPENED -> entries(opened(1, whole ? 10_000 : 4_000));
            case A_LOST -> entries(new Entry.DisputeClosed(new UUID(1, 1), Dispute.Status.LOST, AT));
            case A_RETURNED_IN_PART -> returned(2, 1_500, "MED_FRAUDE", now);
            case A_RETURNED -> returned(3, whole ? 8_500 : 2_500, null, now);
            case B_OPENED -> entries(opened(4, 3_000));
            case B_WON -> entries(new Entry.DisputeClosed(new UUID(1, 4), Dispute.Status.WON, AT));
            case REFUND_ASKED -> whole ? entries() : entries(request(5, 2_000, Source.MERCHANT, null));
            case REFUND_MADE -> whole ? entries() : entries(new Entry.RefundMade(id(5), false, AT));
            case OTHER_ASKED -> whole ? entries() : entries(request(6, 2_000, Source.MERCHANT, null));
            case OTHER_FAILED -> whole ? entries() : entries(new Entry.RefundFailed(id(6), "rejected_by_rail", AT));
        };
    }

    private static Entry[] entries(Entry... entries) {
        return entries;
    }

    private static Entry opened(int number, long cents) {
        return new Entry.DisputeOpened(
                new UUID(1, number), new Amount(cents), "claimed", null, null, AT, "I" + number, null, AT);
    }

    private static Entry[] returned(int number, long cents, @Nullable String nature, Transaction now) {
        boolean completes = ChangeRules.refunded(now).cents() + cents == amount(now);
        return entries(
                request(number, cents, Source.RAIL, RailReturn.of(nature, null)),
                new Entry.RefundMade(id(number), completes, AT));
    }

    private static Entry request(int number, long cents, Source source, @Nullable RailReturn said) {
        return new Entry.RefundRequested(id(number), new Amount(cents), source, null, null, AT, null, null, null, said);
    }

    private static RefundId id(int number) {
        return new RefundId(new UUID(9, number));
    }

    @Test
    void moneyThatNoTransactionCanTakeIsNobodysYet() {
        BookEvent in = new BookEvent(
                BookEvent.Type.UNMATCHED_PAYMENT,
                Transactions.TENANT,
                Transactions.ID,
                "unmatched_bank/E1",
                "bank",
                new Amount(700),
                false,
                AT);

        assertThat(text(PostingRules.of(in))).isEqualTo("unmatched rail 700 unmatched 700");
    }

    @ParameterizedTest
    @CsvSource({
        "UNMATCHED_CREDITED, false, adjustment merchant 700 unmatched -700",
        "UNMATCHED_RETURNED, false, unmatched rail -700 unmatched -700",
        "UNMATCHED_CREDITED, true, adjustment merchant -700 unmatched 700",
        "UNMATCHED_KEPT, false, unmatched fees 700 unmatched -700",
        "UNMATCHED_KEPT, true, unmatched fees -700 unmatched 700"
    })
    void operatorsBookItToSomebody(BookEvent.Type type, boolean outgoing, String expected) {
        BookEvent resolved = new BookEvent(
                type, Transactions.TENANT, Transactions.ID, "resolution_1", "bank", new Amount(700), outgoing, AT);

        assertThat(text(PostingRules.of(MessageJson.readBookEvent(MessageJson.write(resolved)))))
                .isEqualTo(expected);
    }

    @Test
    void aCashinToWhichItIsAssignedTakesItFromThere() {
        Transaction paid = LiveTransactions.of(Transactions.cashin(Transactions.ID, new Amount(10_000)))
                .with(new Entry.StatusChanged(
                        Status.PAID, AT, Source.OPERATOR, "resolved_by_operator", new Settlement(PAYMENT, AT), null));
        Posting posting = PostingRules.of(TransactionEvent.of(paid, 2)).get(0);

        assertThat(text(posting)).isEqualTo("cashin merchant 9849 fees 151 unmatched -10000");
        assertThat(posting.railId()).as("of its own movement").isNull();
    }

    private static final String PAYMENT = "E99999004202603101200abcdefghijk";
    private static final String REFUND_AT_BANK = REFUND.toString().replace("-", "");

    /** The simulator knows cashouts and refunds by their ids, a bank payments by their end-to-end ids and refunds within their payment. */
    static Stream<Arguments> movements() {
        Transaction cashin = Transactions.cashin(Transactions.ID, new Amount(10_000));
        Transaction cashout =
                Transactions.cashout(Transactions.ID, new Amount(10_000)).moveTo(Status.IN_PROCESS, AT, Source.SYSTEM);
        Transaction live = LiveTransactions.of(cashin);
        Transaction paid = live.with(settled());
        return Stream.of(
                Arguments.of("a test cashin", cashin.moveTo(Status.PAID, AT, Source.RAIL), null),
                Arguments.of(
                        "a test refund",
                        cashin.moveTo(Status.PAID, AT, Source.RAIL).with(asked(400, Source.MERCHANT), made(false)),
                        REFUND.toString()),
                Arguments.of(
                        "a refund of the sandbox",
                        cashin.moveTo(Status.PAID, AT, Source.RAIL).with(asked(400, Source.SANDBOX), made(false)),
                        null),
                Arguments.of(
                        "a test cashout", cashout.moveTo(Status.PAID, AT, Source.RAIL), Transactions.ID.toString()),
                Arguments.of("a test cashout that goes out", cashout, null),
                Arguments.of("a live cashin", paid, PAYMENT),
                Arguments.of(
                        "a live refund",
                        paid.with(asked(400, Source.MERCHANT), made(false)),
                        PAYMENT + "/" + REFUND_AT_BANK),
                Arguments.of(
                        "one that the bank made",
                        paid.with(asked(400, Source.RAIL), made(false)),
                        PAYMENT + "/" + REFUND_AT_BANK),
                Arguments.of("a live cashout", LiveTransactions.of(cashout).with(settled()), PAYMENT));
    }

    private static Entry settled() {
        return new Entry.StatusChanged(Status.PAID, AT, Source.RAIL, null, new Settlement(PAYMENT, AT), null);
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("movements")
    void theRailKnowsTheMovementAs(String name, Transaction transaction, @Nullable String railId) {
        TransactionEvent event =
                TransactionEvent.of(transaction, transaction.history().sequence());

        assertThat(PostingRules.of(event).get(0).railId()).isEqualTo(railId);
    }

    @Test
    void theRailKnowsAnUnmatchedPaymentAsItsRecordDoes() {
        assertThat(unmatched(LiveTransactions.TENANT, PAYMENT)).isEqualTo(PAYMENT);
        assertThat(unmatched(LiveTransactions.TENANT, PAYMENT + "/B1")).isEqualTo(PAYMENT + "/B1");
        assertThat(unmatched(Transactions.TENANT, PAYMENT)).isEqualTo(Transactions.ID.toString());
        assertThat(unmatched(Transactions.TENANT, REFUND.toString())).isEqualTo(REFUND.toString());
    }

    private static @Nullable String unmatched(Tenant tenant, String named) {
        return PostingRules.of(new BookEvent(
                        BookEvent.Type.UNMATCHED_PAYMENT,
                        tenant,
                        Transactions.ID,
                        "unmatched_bank/" + named,
                        "bank",
                        new Amount(700),
                        false,
                        AT))
                .get(0)
                .railId();
    }

    private static Entry asked(long cents, Source source) {
        return new Entry.RefundRequested(REFUND, new Amount(cents), source, null, null, AT, null);
    }

    private static Entry made(boolean completes) {
        return new Entry.RefundMade(REFUND, completes, AT);
    }

    private static String text(List<Posting> postings) {
        return postings.isEmpty()
                ? "none"
                : postings.stream().map(PostingRulesTest::text).collect(Collectors.joining(", "));
    }

    private static String text(Posting posting) {
        StringBuilder text = new StringBuilder(posting.type().code());
        new EnumMap<>(posting.legs()).forEach((account, cents) -> text.append(' ')
                .append(account.name().toLowerCase(Locale.ROOT))
                .append(' ')
                .append(cents));
        return text.toString();
    }

    private static Transaction last(List<Transaction> life) {
        return life.get(life.size() - 1);
    }

    private static long sum(Transaction transaction, Account account) {
        return PostingRules.ofAll(transaction).stream()
                .mapToLong(posting -> posting.leg(account))
                .sum();
    }

    /** What is claimed, and no more than what is left. */
    private static long blockedAtMost(Transaction transaction) {
        long claimed = transaction.history().disputes().stream()
                .filter(dispute -> !dispute.status().isFinal() || dispute.status() == Dispute.Status.LOST)
                .mapToLong(dispute -> dispute.amount().cents())
                .sum();
        long gone = sum(transaction, refund -> refund.state() == Refund.State.REFUNDED) + askedFor(transaction);
        return Math.min(claimed, amount(transaction) - gone);
    }

    /** From the transaction's state alone. */
    private static long said(Transaction transaction) {
        long moved = 0;
        long refunded = sum(transaction, refund -> refund.state() == Refund.State.REFUNDED);
        if (transaction.operation() == Operation.CASHIN) {
            boolean isPaid = transaction.history().lastAt(Status.PAID).isPresent();
            moved = isPaid ? amount(transaction) - commission(transaction) : 0;
            moved -= refunded + askedFor(transaction);
        } else if (List.of(Status.IN_PROCESS, Status.PAID, Status.REFUND).contains(transaction.status())) {
            moved = refunded - amount(transaction) - commission(transaction);
        }
        return moved + returned(transaction, refunded) - sum(transaction, Account.BLOCKED);
    }

    private static long returned(Transaction transaction, long refunded) {
        return transaction.terms().commissionReturns() == null
                ? 0
                : new BigDecimal(commission(transaction))
                        .multiply(new BigDecimal(refunded))
                        .divide(new BigDecimal(amount(transaction)), 0, RoundingMode.HALF_EVEN)
                        .longValueExact();
    }

    private static long askedFor(Transaction transaction) {
        return sum(
                transaction,
                refund -> refund.state() == Refund.State.PROCESSING
                        && (refund.source() == Source.MERCHANT || refund.source() == Source.SYSTEM));
    }

    private static long sum(Transaction transaction, Predicate<Refund> counted) {
        return transaction.history().refunds().stream()
                .filter(counted)
                .mapToLong(refund -> refund.amount().cents())
                .sum();
    }

    private static long amount(Transaction transaction) {
        return transaction.terms().amount().cents();
    }

    private static long commission(Transaction transaction) {
        return transaction.terms().commission().cents();
    }
}
