package dev.ligeiro.processor.decide;

import static dev.ligeiro.processor.decide.Situations.BY_ID;
import static dev.ligeiro.processor.decide.Situations.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.message.EventType;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.processor.rail.bank.BankClaim;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.BlockedAmount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.ChangeRefusal;
import dev.ligeiro.transaction.Dispute;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailReturn;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** What the rail says about a dispute is applied once, and a defence has one outcome. */
class DisputeDecisionsTest {

    private static final UUID ID = Dispute.id("bank", "claim-1");
    private static final UUID CHANGE = new UUID(7, 7);
    private static final Instant DEADLINE = NOW.plusSeconds(3600);
    private static final String TEXT = "It was delivered\non Monday";
    private static final Transaction PAID = LiveTransactions.of(Situations.at(Operation.CASHIN, Status.PAID));
    private static final TransactionCommand REPORT = new TransactionCommand.DisputeReport(PAID.tenant(), PAID.id(), ID);

    /** The entries that follow from what the rail says to a transaction that knows of this, oldest first. */
    @ParameterizedTest(name = "{0}, then {1} with {2}: {3}")
    @CsvSource({
        // known, told, whose defence the rail has, entries
        "nothing,    OPEN,     none,    opened",
        "nothing,    DEFENDED, others,  opened updated",
        "nothing,    LOST,     none,    opened closed:lost",
        "open,       OPEN,     none,    ''",
        "open,       DEFENDED, others,  updated",
        "open,       WON,      none,    closed:won",
        "open,       CANCELED, others,  updated closed:canceled",
        "requested,  OPEN,     none,    ''",
        "requested,  OPEN,     refused, refused:defense_rejected",
        "requested,  DEFENDED, ours,    updated:ours",
        "requested,  DEFENDED, none,    updated:ours",
        "requested,  DEFENDED, others,  updated refused:already_defended",
        "requested,  LOST,     none,    refused:dispute_closed closed:lost",
        "requested,  LOST,     ours,    updated:ours closed:lost",
        "defended,   OPEN,     none,    ''",
        "defended,   DEFENDED, ours,    ''",
        "defended,   LOST,     ours,    closed:lost",
        "closed,     OPEN,     none,    ''",
        "closed,     LOST,     none,    ''",
    })
    void newsOfTheRailBecomeEntriesOnce(String known, Dispute.Status told, String defense, String entries) {
        Transaction before = known(known);
        StoredDispute news = told(told, defense, DEADLINE);

        Transaction after = DisputeDecisions.decide(before, news, NOW);

        assertThat(added(before, after)).isEqualTo(entries);
        assertThat(DisputeDecisions.tellsSomethingNew(before, news, NOW)).isEqualTo(!entries.isEmpty());
        assertThat(DisputeDecisions.decide(after, news, NOW.plusSeconds(1)))
                .as("redelivered")
                .isSameAs(after);
    }

    @Test
    void anotherDeadlineIsAnUpdate() {
        Transaction after =
                DisputeDecisions.decide(known("open"), told(Dispute.Status.OPEN, "none", DEADLINE.plusSeconds(9)), NOW);

        assertThat(after.history().dispute(ID).orElseThrow().deadline()).isEqualTo(DEADLINE.plusSeconds(9));
    }

    @Test
    void aLostDisputeBlocksItsAmountUntilTheReturnOrForSevenDays() {
        StoredDispute news = told(Dispute.Status.LOST, "none", DEADLINE);
        Transaction lost = DisputeDecisions.decide(PAID, news, NOW);
        Instant end = NOW.plus(Duration.ofDays(7));
        RefundId id = RefundId.ofRail("D1");
        Transaction returned = lost.with(
                Entry.RefundRequested.byRail(id, Situations.ALL, RailReturn.of("MED_FRAUDE", null), NOW),
                new Entry.RefundMade(id, true, NOW));

        assertThat(BlockedAmount.waitsForReturn(lost, ID)).isTrue();
        assertThat(DisputeDecisions.decide(lost, news, end.minusMillis(1))).isSameAs(lost);
        Transaction released = DisputeDecisions.decide(lost, news, end);
        assertThat(added(lost, released)).isEqualTo("released");
        assertThat(released.history().dispute(ID).orElseThrow().status()).isEqualTo(Dispute.Status.LOST);
        assertThat(List.of(released, returned)).allSatisfy(settled -> {
            assertThat(BlockedAmount.waitsForReturn(settled, ID)).isFalse();
            assertThat(DisputeDecisions.decide(settled, news, end.plusSeconds(1)))
                    .isSameAs(settled);
        });
    }

    /** With the fault, the rail was no longer asked for its return once a refund was in flight. When the refund failed, the amount stayed blocked. */
    @Test
    void aLostDisputeWaitsForItsReturnWhileARefundIsInFlight() {
        RefundId id = new RefundId(new UUID(5, 5));
        Transaction refunding = known("open")
                .with(new Entry.RefundRequested(id, Situations.ALL, Source.MERCHANT, null, null, NOW, null));
        Transaction lost = DisputeDecisions.decide(refunding, told(Dispute.Status.LOST, "none", DEADLINE), NOW);

        assertThat(BlockedAmount.waitsForReturn(lost, ID)).isTrue();
        assertThat(BlockedAmount.waitsForReturn(lost.with(new Entry.RefundMade(id, true, NOW)), ID))
                .isFalse();
    }

    @Test
    void aClaimThatTheTransactionCannotTakeChangesNothing() {
        StoredDispute opened = told(Dispute.Status.OPEN, "none", DEADLINE);
        Transaction pending = LiveTransactions.of(Situations.at(Operation.CASHIN, Status.PENDING));
        Transaction cashout = LiveTransactions.of(Situations.at(Operation.CASHOUT, Status.PAID));

        assertThat(List.of(pending, cashout))
                .allSatisfy(transaction -> assertThat(DisputeDecisions.decide(transaction, opened, NOW))
                        .isSameAs(transaction));
        assertThat(DisputeDecisions.decide(
                        PAID, told("E-another", Situations.ALL, Dispute.Status.OPEN, "none", DEADLINE), NOW))
                .isSameAs(PAID);
        assertThat(DisputeDecisions.decide(
                        PAID,
                        told(
                                PAID.endToEndId(),
                                new Amount(Situations.ALL.cents() + 1),
                                Dispute.Status.OPEN,
                                "none",
                                DEADLINE),
                        NOW))
                .isSameAs(PAID);
        assertThat(DisputeDecisions.decide(PAID, told(null, "none", DEADLINE), NOW))
                .as("unknown status")
                .isSameAs(PAID);
    }

    /** Otherwise it would be stored and reported at each reading. */
    @Test
    void aClaimThatIsReadAgainEqualsTheStoredOne() {
        StoredDispute read = claim("\"status\":\"ABERTA\"").stored("bank", null);

        assertThat(StoredDispute.read(read.document())).isEqualTo(read);
    }

    /** With the fault, a dispute that was won in the history was lost in the list. */
    @ParameterizedTest(name = "{0}, then {1}: {2}")
    @CsvSource({
        // stored, told, stored then, whether it is expected
        ", ACEITA, LOST, true",
        "OPEN, ACEITA, LOST, true",
        "OPEN, UNKNOWN, OPEN, false",
        "DEFENDED, ABERTA, DEFENDED, true",
        "WON, ACEITA, WON, false",
        "WON, REJEITADA, WON, true",
        "CANCELED, ACEITA, CANCELED, false",
        "LOST, REJEITADA, LOST, false",
    })
    void theFirstDecisionStays(
            Dispute.@Nullable Status before, String said, Dispute.Status expected, boolean isExpected) {
        StoredDispute known = before == null ? null : told(before, "none", DEADLINE);
        BankClaim claim = claim("\"status\":\"" + said + "\"");

        assertThat(claim.stored("bank", known).status()).isEqualTo(expected);
        assertThat(claim.isStatusExpected(known)).isEqualTo(isExpected);
    }

    private static BankClaim claim(String status) {
        return new BankClaim(JsonMapper.shared()
                .readTree("{\"idInfracao\":\"c1\",\"endToEndId\":\"E1\",\"valor\":\"1.00\"," + status
                        + ",\"dadosAnalise\":{\"abertura\":\"2026-11-30T10:00:00.123456Z\","
                        + "\"prazoFinalizacao\":\"2026-12-07T10:00:00.123456Z\"}}"));
    }

    @Test
    void theLengthOfADefenceIsInCodePoints() {
        assertThat(new ChangeAction.Defense(ID, "\uD83D\uDE00".repeat(1_000))).isNotNull();
        assertThatThrownBy(() -> new ChangeAction.Defense(ID, "x".repeat(1_001)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** A writer to Kafka names the dispute only. */
    @Test
    void aReportOfADisputeThatMongoDbDoesNotHaveChangesNothing() {
        assertThat(Situations.run(PAID, Situations.rules(BY_ID), NOW, REPORT).decided())
                .isEqualTo(PAID);
        assertThat(reported(PAID, Dispute.Status.OPEN).stored().history().dispute(ID))
                .isPresent();
    }

    /** With the fault, the webhook and the posting of the first event were missing for ever. */
    @Test
    void aReportThatTellsMoreWhenItIsRedeliveredSendsItsEarlierEventsToo() {
        CommandRun opened = reported(PAID, Dispute.Status.OPEN);
        CommandRun closed = reported(opened.stored(), Dispute.Status.LOST);

        assertThat(opened.events()).extracting(TransactionEvent::type).containsExactly(EventType.DISPUTE_OPENED);
        assertThat(closed.events())
                .extracting(TransactionEvent::type)
                .containsExactly(EventType.DISPUTE_OPENED, EventType.DISPUTE_CLOSED);
    }

    /** A batch with the report, when its change is stored. */
    private static CommandRun reported(Transaction before, Dispute.Status status) {
        Batch.Rules rules = new Batch.Rules(
                transaction -> Optional.of(BY_ID),
                Situations.OPEN,
                Set.of(),
                Map.of(ID, told(status, "none", DEADLINE)),
                Situations.SECRET);
        return Situations.run(before, rules, NOW, REPORT).written();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "nothing,   refused:dispute_closed",
        "open,      requested",
        "late,      refused:defense_too_late",
        "requested, refused:already_defended",
        "defended,  refused:already_defended",
        "rejected,  refused:defense_rejected",
        "closed,    refused:dispute_closed"
    })
    void aDefenceIsAskedForOnce(String known, String entry) {
        boolean isLate = known.equals("late");
        Transaction before = known(isLate ? "open" : known);
        Instant now = isLate ? DEADLINE.plusSeconds(1) : NOW;
        TransactionCommand asked = Situations.change(before, new ChangeAction.Defense(ID, TEXT), null);

        Transaction after = Situations.decide(before, asked, BY_ID, now).after();

        assertThat(added(before, after)).isEqualTo(entry);
        assertThat(Situations.decide(after, asked, BY_ID, now).after())
                .as("redelivered")
                .isSameAs(after);
    }

    private static Transaction known(String known) {
        if (known.equals("nothing")) {
            return PAID;
        }
        Transaction open = DisputeDecisions.decide(PAID, told(Dispute.Status.OPEN, "none", DEADLINE), NOW);
        Transaction requested = open.with(new Entry.DefenseRequested(ID, TEXT, new ChangeRef(CHANGE, null), NOW));
        return switch (known) {
            case "open" -> open;
            case "requested" -> requested;
            case "rejected" -> rejected(open);
            case "defended" -> DisputeDecisions.decide(requested, told(Dispute.Status.DEFENDED, "ours", DEADLINE), NOW);
            default -> DisputeDecisions.decide(open, told(Dispute.Status.WON, "none", DEADLINE), NOW);
        };
    }

    /** As often as a merchant may try. */
    private static Transaction rejected(Transaction open) {
        Transaction rejected = open;
        for (int i = 0; i < 10; i++) {
            UUID change = new UUID(8, i);
            rejected = rejected.with(
                    new Entry.DefenseRequested(ID, TEXT, new ChangeRef(change, null), NOW),
                    new Entry.ChangeRefused(change, "defense_rejected", NOW));
        }
        return rejected;
    }

    private static StoredDispute told(Dispute.@Nullable Status status, String defense, Instant deadline) {
        return told(PAID.endToEndId(), Situations.ALL, status, defense, deadline);
    }

    private static StoredDispute told(
            String endToEndId, Amount amount, Dispute.@Nullable Status status, String defense, Instant deadline) {
        return new StoredDispute(
                ID,
                "bank",
                "claim-1",
                "1313",
                endToEndId,
                PAID.tenant(),
                PAID.id(),
                amount,
                "claimed",
                "golpe",
                status,
                "ABERTA",
                NOW.minusSeconds(60),
                deadline,
                switch (defense) {
                    case "ours" -> StoredDispute.nameOf(TEXT.replace("\n", " "));
                    case "others" -> StoredDispute.nameOf("another");
                    default -> null;
                },
                defense.equals("refused") ? new StoredDispute.Refusal(CHANGE, ChangeRefusal.DEFENSE_REJECTED) : null,
                null);
    }

    private static String added(Transaction before, Transaction after) {
        return after.history().entries().stream()
                .skip(before.history().entries().size())
                .map(DisputeDecisionsTest::text)
                .collect(Collectors.joining(" "));
    }

    private static String text(Entry entry) {
        if (entry instanceof Entry.ChangeRefused refused) {
            return "refused:" + refused.code();
        }
        if (entry instanceof Entry.DisputeClosed closed) {
            return "closed:" + closed.outcome().name().toLowerCase(Locale.ROOT);
        }
        if (entry instanceof Entry.DisputeUpdated updated) {
            return CHANGE.equals(updated.defense()) ? "updated:ours" : "updated";
        }
        if (entry instanceof Entry.DisputeReleased) {
            return "released";
        }
        return entry instanceof Entry.DisputeOpened ? "opened" : "requested";
    }
}
