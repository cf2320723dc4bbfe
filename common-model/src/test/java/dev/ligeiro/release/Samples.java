package dev.ligeiro.release;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.BookEvent;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.EventType;
import dev.ligeiro.message.Origin;
import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.CashoutGuard;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.Resolution;
import dev.ligeiro.transaction.SandboxAction;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import dev.ligeiro.webhook.DisabledReason;
import dev.ligeiro.webhook.EncryptedText;
import dev.ligeiro.webhook.EndpointSecret;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One value of each kind that services write: every command, event type, rail outcome, history entry and attempt outcome. */
final class Samples {

    private static final Instant AT = Transactions.CREATED_AT;
    private static final UUID ENDPOINT = UUID.fromString("019cd000-0000-7abc-9def-0123456789ab");
    private static final UUID REQUEST = UUID.fromString("019cd8fe-0000-7abc-9def-0123456789ab");
    private static final ChangeRef CHANGE = new ChangeRef(REQUEST, "key-4");
    private static final Requester BY = new Requester(
            UUID.fromString("019cd8fe-0000-7abc-9def-0123456789ac"),
            UUID.fromString("019cd8fe-0000-7abc-9def-0123456789ad"));
    private static final ChangeRef BY_KEY = new ChangeRef(REQUEST, null, BY);
    private static final Settlement SETTLEMENT = new Settlement("E9988776620260310143114railDEF1", AT.plusSeconds(59));

    private static final String SIGNATURE = "X4sV+3d1hdUO0Cb6Ld6aB7l1KN1hQ2qO0Z3m0v3yJ8k=";

    private Samples() {}

    static List<TransactionCommand> commands() {
        Stream<TransactionCommand> others = Stream.of(
                new TransactionCommand.Process(Transactions.goldenCashin()),
                new TransactionCommand.Process(Transactions.goldenCashout()),
                new TransactionCommand.Process(atBank()),
                new TransactionCommand.DueCheck(Transactions.TENANT, Transactions.ID, AT),
                new TransactionCommand.Announce(Transactions.TENANT, Transactions.ID, AT),
                new TransactionCommand.RailNotice(Transactions.ID, "pixapi", "E1", new Amount(15075)),
                new TransactionCommand.RailNotice(Transactions.ID, "pixapi", "E1", null),
                new TransactionCommand.Change(
                        Transactions.TENANT, Transactions.ID, new ChangeRef(REQUEST, null), new ChangeAction.Cancel()),
                new TransactionCommand.Change(Transactions.TENANT, Transactions.ID, BY_KEY, new ChangeAction.Cancel()),
                new TransactionCommand.Process(byKey(Transactions.goldenCashin())),
                new TransactionCommand.RailAnswer(
                        Transactions.TENANT,
                        Transactions.ID,
                        null,
                        RailCallKind.SUBMIT,
                        2,
                        2,
                        AT,
                        new RailOutcome.Unknown(),
                        SIGNATURE));
        return Stream.of(others, actions().map(Samples::change), outcomes().map(Samples::answer))
                .flatMap(each -> each)
                .toList();
    }

    static Stream<ChangeAction> actions() {
        Stream<ChangeAction> others = Stream.of(
                new ChangeAction.Cancel(),
                new ChangeAction.Refund(null, null, null),
                new ChangeAction.Refund(new Amount(5000), "return-1", "Two shirts"),
                new ChangeAction.Resolve(null, true, SETTLEMENT),
                new ChangeAction.Resolve(Transactions.REFUND, false, null),
                new ChangeAction.Approval(true, Source.MERCHANT, null),
                new ChangeAction.Approval(false, Source.OPERATOR, "Nobody knows the receiver"));
        return Stream.concat(others, Stream.of(SandboxAction.values()).map(ChangeAction.Sandbox::new));
    }

    private static TransactionCommand change(ChangeAction action) {
        return new TransactionCommand.Change(Transactions.TENANT, Transactions.ID, CHANGE, action);
    }

    static Stream<RailOutcome> outcomes() {
        return Stream.of(
                RailOutcome.Settled.asAgreed(),
                new RailOutcome.Settled(SETTLEMENT, List.of(new RailOutcome.Returned("D1", new Amount(100)))),
                new RailOutcome.Rejected("rejected_by_rail"),
                new RailOutcome.Pending(),
                new RailOutcome.InReview(),
                new RailOutcome.NotStarted(),
                new RailOutcome.Unknown(),
                new RailOutcome.NotFound(),
                new RailOutcome.Surplus(
                        List.of(new RailOutcome.Payment("E2", new Amount(100))), new RailOutcome.Pending()));
    }

    private static TransactionCommand answer(RailOutcome outcome) {
        return new TransactionCommand.RailAnswer(
                Transactions.TENANT,
                Transactions.ID,
                Transactions.REFUND,
                RailCallKind.INQUIRE,
                1,
                2,
                AT,
                outcome,
                SIGNATURE);
    }

    static List<TransactionEvent> events() {
        return transactions().stream()
                .flatMap(transaction -> IntStream.rangeClosed(
                                1, transaction.history().sequence())
                        .mapToObj(sequence -> TransactionEvent.of(transaction, sequence)))
                .distinct()
                .toList();
    }

    static List<BookEvent> bookEvents() {
        return Stream.of(BookEvent.Type.values())
                .map(type -> new BookEvent(
                        type,
                        Transactions.TENANT,
                        Transactions.ID,
                        "refund_" + Transactions.REFUND,
                        "simulator",
                        new Amount(5000),
                        type == BookEvent.Type.REFUND_REQUESTED,
                        AT))
                .toList();
    }

    static List<Transaction> transactions() {
        Transaction cashin = Transactions.goldenCashin();
        Transaction cashout = Transactions.goldenCashout();
        Transaction waiting = cashout.with(new Entry.StatusChanged(
                Status.IN_ANALYSIS, AT.plusSeconds(60), Source.SYSTEM, Transaction.APPROVAL_REQUIRED, null, null));
        Transaction sent = moved(cashout, Status.IN_ANALYSIS, Status.IN_PROCESS);
        return List.of(
                cashin,
                cashin.accept(),
                moved(cashin, Status.IN_ANALYSIS, Status.PAID),
                moved(cashin, Status.EXPIRED, Status.PAID),
                cashin.with(new Entry.StatusChanged(Status.CANCELED, AT, Source.MERCHANT, null, null, CHANGE)),
                refunded(Transactions.partlyRefundedCashin()),
                cashout,
                cashout.with(new Entry.StatusChanged(Status.DENIED, AT, Source.RAIL, "rejected_by_rail", null, null)),
                cashout.with(RailCall.first(null, AT, AT.plusSeconds(1))),
                sent.with(new RailCall(
                        null, 2, true, false, AT, null, 3, "rejected_by_rail", null, null, AT.plusSeconds(30), null)),
                sent.with(RailCall.first(null, AT, AT)
                        .acknowledged(AT.plusSeconds(30))
                        .withSecret(REQUEST)),
                sent.with(RailCall.first(null, AT, AT).reported(AT.plusSeconds(15), AT.plusSeconds(30))),
                sent.with(RailCall.first(null, AT, AT)
                        .resolving(new Resolution(REQUEST, true, SETTLEMENT, AT), AT.plusSeconds(30))),
                sent.with(new Entry.StatusChanged(
                        Status.PAID,
                        AT.plusSeconds(60),
                        Source.OPERATOR,
                        Resolution.REASON,
                        SETTLEMENT,
                        new ChangeRef(REQUEST, null))),
                resolved(Transactions.partlyRefundedCashin()),
                sent.with(new Entry.StatusChanged(Status.PAID, AT.plusSeconds(60), Source.RAIL, null, SETTLEMENT, null))
                        .moveTo(Status.REFUND, AT.plusSeconds(90), Source.RAIL),
                waiting,
                waiting.with(new Entry.StatusChanged(
                        Status.DENIED,
                        AT.plusSeconds(90),
                        Source.OPERATOR,
                        ChangeAction.Approval.NOT_APPROVED,
                        null,
                        CHANGE,
                        "Nobody knows the receiver")),
                atBank(),
                traced(byKey(cashin)));
    }

    /** As a key creates it, without a session. */
    private static Transaction byKey(Transaction like) {
        return Transaction.create(
                like.id(), like.tenant(), like.operation(), like.terms(), null, new Requester(BY.key(), null));
    }

    /** A cancel that the rail still answers, a refused request and a refund. */
    private static Transaction traced(Transaction created) {
        Instant at = AT.plusSeconds(60);
        return created.with(new Entry.ChangeRefused(REQUEST, "invalid_transition", AT, BY))
                .moveTo(Status.PAID, at, Source.RAIL)
                .with(new Entry.RefundRequested(
                        Transactions.REFUND, new Amount(5000), Source.MERCHANT, null, null, at, null, BY))
                .with(RailCall.first(null, at, at).canceling(BY_KEY, at.plusSeconds(30)));
    }

    private static Transaction atBank() {
        return Transactions.like(Transactions.goldenCashout()).rail("bank").build();
    }

    private static Transaction moved(Transaction transaction, Status... path) {
        Transaction moved = transaction;
        for (Status status : path) {
            moved = moved.moveTo(status, AT.plusSeconds(60), status == Status.EXPIRED ? Source.SYSTEM : Source.RAIL);
        }
        return moved;
    }

    private static Transaction refunded(Transaction partly) {
        RefundId rest = new RefundId(UUID.fromString("019cd903-8f53-7abc-9def-0123456789ab"));
        Instant at = AT.plusSeconds(14_400);
        return partly.with(new Entry.ChangeRefused(REQUEST, "refund_exceeds_amount", at))
                .with(new Entry.RefundRequested(rest, new Amount(10075), Source.MERCHANT, null, null, at, "key-3"))
                .with(new Entry.RefundMade(rest, true, at.plusSeconds(5)));
    }

    private static Transaction resolved(Transaction partly) {
        RefundId failed = new RefundId(UUID.fromString("019cd903-8f53-7abc-9def-0123456789ab"));
        RefundId rest = new RefundId(UUID.fromString("019cd903-8f53-7abc-9def-0123456789ac"));
        Instant at = AT.plusSeconds(14_400);
        return partly.with(
                        new Entry.RefundRequested(failed, new Amount(10075), Source.MERCHANT, null, null, at, "key-3"))
                .with(new Entry.RefundFailed(failed, Resolution.REASON, at.plusSeconds(5), REQUEST))
                .with(new Entry.RefundRequested(rest, new Amount(10075), Source.MERCHANT, null, null, at, "key-5"))
                .with(new Entry.RefundMade(rest, true, at.plusSeconds(5), ENDPOINT));
    }

    static List<WebhookEndpoint> endpoints() {
        return List.of(
                endpoint(EndpointStatus.enabled(AT)),
                endpoint(EndpointStatus.disabled(DisabledReason.FAILING, AT.plusSeconds(5))));
    }

    private static WebhookEndpoint endpoint(EndpointStatus status) {
        return new WebhookEndpoint(
                ENDPOINT,
                Transactions.TENANT,
                "https://shop.example/hooks",
                Map.of(EventType.PAID, AT, EventType.REFUND, AT.plusSeconds(9)),
                List.of(
                        new EndpointSecret(new EncryptedText("k2:AAAA"), null),
                        new EndpointSecret(new EncryptedText("k1:BBBB"), AT)),
                Map.of("x-shop", new EncryptedText("k1:CCCC")),
                "orders",
                status,
                AT,
                7);
    }

    static WebhookEndpoint feed() {
        return WebhookEndpoint.feed(ENDPOINT, Transactions.TENANT, AT);
    }

    static List<CashoutGuard> guards() {
        ZoneId zone = ZoneId.of("America/Sao_Paulo");
        return List.of(
                new CashoutGuard(Transactions.TENANT, null, null, null, null, null, false, null, null, zone, AT),
                new CashoutGuard(
                        Transactions.TENANT,
                        new Amount(100_000),
                        new Amount(10_000),
                        new Amount(5_000),
                        new Amount(2_500),
                        new CashoutGuard.CountLimit(10, Duration.ofHours(1)),
                        true,
                        Set.of("ana@example.com", "+5511987654321"),
                        Set.of("52998224725"),
                        zone,
                        AT));
    }

    static List<Delivery> deliveries() {
        DeliveryId id = new DeliveryId(ENDPOINT, new EventId(Transactions.ID, 2));
        List<Attempt> attempts = Stream.of(AttemptOutcome.values())
                .map(outcome -> new Attempt(
                        AT, outcome, outcome == AttemptOutcome.REJECTED ? 500 : null, Duration.ofMillis(12)))
                .toList();
        Attempt last =
                new Attempt(AT.plusSeconds(5), AttemptOutcome.REJECTED, 500, Duration.ofMillis(12), "database is down");
        Delivery scheduled = new Delivery(
                id,
                "transaction.paid",
                AT,
                DeliveryStatus.SCHEDULED,
                Stream.concat(attempts.stream(), Stream.of(last)).toList(),
                AT.plusSeconds(60),
                null,
                new byte[] {'{', '}'},
                new Origin("request-1", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
        Stream<Delivery> ended = Stream.of(DeliveryStatus.values())
                .filter(status -> status != DeliveryStatus.SCHEDULED)
                .map(status -> Delivery.ended(id, "transaction.paid", AT, status, attempts, AT.plusMillis(5)));
        return Stream.concat(Stream.of(scheduled), ended).toList();
    }

    static List<Lane> lanes() {
        return List.of(
                new Lane(ENDPOINT, Transactions.TENANT, AT, null, Lane.Health.GOOD, null, 1),
                new Lane(
                        ENDPOINT,
                        Transactions.TENANT,
                        AT,
                        new Lane.Lease(REQUEST, AT.plusSeconds(30)),
                        new Lane.Health(12, 2, AT.plusSeconds(60), AT.minusSeconds(600)),
                        AT.plusSeconds(90),
                        7));
    }
}
