package dev.ligeiro.processor.intake;

import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.infra.bank.Bank;
import dev.ligeiro.infra.brokers.Ports;
import dev.ligeiro.message.Topics;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.processor.rail.bank.RunningBank;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.testing.brokers.TestBrokers;
import dev.ligeiro.testing.kafka.ConsumerGroups;
import dev.ligeiro.testing.kafka.TestTopics;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeAction;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.PayerRules;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A processor whose live rail is a bank on real sockets, the same one for all classes that extend this. The last of them removes it. */
@SuppressWarnings("NullAway.Init")
abstract class WithLiveBank {

    static final Duration TIMEOUT = Duration.ofSeconds(30);
    static final int NOTICES = Ports.free();

    @RegisterExtension
    static final BeforeAllCallback STARTED =
            context -> store(context).computeIfAbsent(WithLiveBank.class, key -> started());

    private static final AtomicLong NEXT_MERCHANT = new AtomicLong(77_000);

    static RunningBank bank;
    static TestEnvironment environment;
    static RunningProcessor processor;
    static String[] settings;

    /** The store of the whole run: it closes its values after the last class. */
    static ExtensionContext.Store store(ExtensionContext context) {
        return context.getRoot().getStore(ExtensionContext.Namespace.GLOBAL);
    }

    private static AutoCloseable started() {
        TestTopics.create(Topics.COMMANDS, 3);
        String database = "live_bank_" + UUID.randomUUID();
        environment = new TestEnvironment(database);
        environment.createIndexOfIdempotencyKeys();
        environment.createIndexesOfDueWork();
        environment.createIndexesOfReconciliation();
        bank = new RunningBank(settings -> settings);
        Bank.IssuedCertificate ours = bank.bank.customersCertificate();
        Bank.IssuedCertificate port = bank.bank.issue("notices");
        settings = Stream.of(
                        Stream.of(
                                "spring.mongodb.uri=" + TestBrokers.mongodbUri(database),
                                "spring.kafka.consumer.group-id=" + ConsumerGroups.startingNow(Topics.COMMANDS),
                                "ligeiro.books.enabled=true",
                                "ligeiro.books.consumer-group=" + ConsumerGroups.startingNow(Topics.EVENTS),
                                "ligeiro.rails.bank.kind=efi",
                                "ligeiro.rails.bank.base-url=" + bank.bank.baseUrl(),
                                "ligeiro.rails.bank.token-url=" + bank.bank.tokenUrl(),
                                "ligeiro.rails.bank.token-request=json",
                                "ligeiro.rails.bank.client-id=" + bank.bank.clientId(),
                                "ligeiro.rails.bank.client-secret=" + bank.bank.clientSecret(),
                                "ligeiro.rails.bank.ssl-bundle=bank",
                                "ligeiro.rails.bank.receiver-key=" + bank.bank.pixKey(),
                                "ligeiro.rails.bank.notice-url=https://localhost:" + NOTICES + "/bank",
                                "ligeiro.rails.bank.notice-senders=CN=bank",
                                "ligeiro.rails.bank.inquire-after=500ms",
                                "ligeiro.rails.bank.claims=true",
                                "ligeiro.rails.bank.locations=60",
                                "ligeiro.notices.port=" + NOTICES,
                                "ligeiro.notices.ssl-bundle=notices",
                                "ligeiro.notices.catch-up-every=300ms"),
                        bundle("bank", ours),
                        bundle("notices", port))
                .flatMap(some -> some)
                .toArray(String[]::new);
        processor = RunningProcessor.start(settings);
        await().atMost(TIMEOUT).until(processor::isReady);
        return WithLiveBank::stop;
    }

    private static Stream<String> bundle(String name, Bank.IssuedCertificate certificate) {
        String prefix = "spring.ssl.bundle.pem." + name;
        return Stream.of(
                prefix + ".keystore.certificate=" + certificate.certificate().toUri(),
                prefix + ".keystore.private-key=" + certificate.key().toUri(),
                prefix + ".truststore.certificate=" + bank.bank.ca().toUri());
    }

    private static void stop() {
        processor.close();
        environment.close();
        bank.close();
    }

    @AfterEach
    void noFaults() {
        bank.noFaults();
    }

    static Tenant newTenant() {
        return new Tenant(2 * NEXT_MERCHANT.incrementAndGet() + 1);
    }

    /** A pending cashin whose charge the bank has. */
    static Transaction registered() {
        return registered(LiveTransactions.TENANT);
    }

    static Transaction registered(Tenant tenant) {
        return registered(tenant, null);
    }

    static Transaction registered(Tenant tenant, @Nullable PayerRules payerRules) {
        Transaction cashin = environment.stored(
                Transactions.like(live(Transactions.cashin(TransactionId.at(Instant.now()), new Amount(10_00))))
                        .tenant(tenant)
                        .payerRules(payerRules)
                        .build());
        environment.send(new TransactionCommand.Process(cashin));
        environment.awaitAnnounced(cashin, "1 pending");
        await().atMost(TIMEOUT)
                .until(() -> environment.read(cashin.id()).railCalls().isEmpty());
        return cashin;
    }

    static Transaction live(Transaction transaction) {
        return LiveTransactions.of(transaction);
    }

    static UUID change(Transaction transaction, ChangeAction action, @Nullable String key) {
        UUID id = UUID.randomUUID();
        environment.send(
                new TransactionCommand.Change(transaction.tenant(), transaction.id(), new ChangeRef(id, key), action));
        return id;
    }

    /** Of merchant, fees, unmatched and rail. */
    static List<Long> balances(Tenant tenant) {
        Document balance = environment.balance(tenant);
        return List.of(
                balance.get(BalanceFields.MERCHANT, 0L),
                balance.get(BalanceFields.FEES, 0L),
                balance.get(BalanceFields.UNMATCHED, 0L),
                balance.get(BalanceFields.RAIL, new Document()).get("bank", 0L));
    }

    /** The id of its record. */
    static String unmatchedPayment() {
        double before = unmatched();
        String endToEndId = bank.post(
                        "POST", "/payer/pay", "{\"key\":\"" + bank.bank.pixKey() + "\",\"amount\":\"7.00\"}")
                .path("e2e_id")
                .asString();
        await().atMost(TIMEOUT).until(() -> unmatched() == before + 1);
        return "bank/" + endToEndId;
    }

    static double unmatched() {
        return metric("ligeiro_unmatched_payments_total{", "unknown_transaction");
    }

    /** The sum of the series whose lines have these texts. */
    static double metric(String... texts) {
        return processor
                .get("/actuator/prometheus")
                .lines()
                .filter(line -> !line.startsWith("#") && Stream.of(texts).allMatch(line::contains))
                .mapToDouble(line ->
                        Double.parseDouble(line.substring(line.lastIndexOf(' ')).replace("Inf", "Infinity")))
                .sum();
    }

    static String claimed(String payment, String amount) {
        return bank.post("POST", "/payer/dispute", "{\"e2e_id\":\"%s\",\"amount\":\"%s\"}".formatted(payment, amount))
                .path("id")
                .asString();
    }

    static void decided(String claim, String outcome) {
        bank.post("POST", "/payer/dispute/" + claim + "/decide", "{\"outcome\":\"" + outcome + "\"}");
    }
}
