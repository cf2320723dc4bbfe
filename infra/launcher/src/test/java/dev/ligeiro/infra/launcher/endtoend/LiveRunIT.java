package dev.ligeiro.infra.launcher.endtoend;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.launcher.endtoend.ChangeReceiver.Change;
import dev.ligeiro.infra.launcher.endtoend.ConstantLoad.Created;
import dev.ligeiro.infra.launcher.endtoend.ConstantLoad.Recovery;
import dev.ligeiro.infra.launcher.endtoend.LedgerCheck.Difference;
import dev.ligeiro.infra.launcher.endtoend.LiveBank.Injected;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

/**
 * Live cashins, cashouts and refunds, while the bank lies, stalls and forgets, and services are killed, with a guard that checks funds; at
 * the end the bank's ledger and ours agree. In {@code mvn verify} for about half a minute, by {@code mvn verify -Plive} for 15 minutes; the
 * profile's properties have the seed of the faults, the duration and the rates.
 */
@Order(13)
@Isolated("it uses the whole machine")
@Timeout(3_600)
@Tag("nightly")
class LiveRunIT {

    static final long SEED = Long.getLong("ligeiro.live.seed", 1);
    static final Duration FAULTS_FOR = Duration.ofSeconds(Long.getLong("ligeiro.live.seconds", 30));
    /** A long run has the settings of operation. */
    private static final boolean IS_LONG = FAULTS_FOR.compareTo(Duration.ofMinutes(5)) >= 0;

    private static final int CASHINS = Integer.getInteger("ligeiro.live.cashins", 6);
    private static final int CASHOUTS = Integer.getInteger("ligeiro.live.cashouts", 3);
    private static final int REFUNDS = Integer.getInteger("ligeiro.live.refunds", 2);
    /** Of the bank's calls, notices and payments, each. */
    static final int FAULTY_PERCENT = Integer.getInteger("ligeiro.live.percent", 10);

    /** Of calls and notices, all but an answer of 10 MB, which would only measure the machine. */
    static final List<String> CALLS_AND_NOTICES = List.of(
            "lost_before",
            "lost_after",
            "slow",
            "late_answer",
            "error_before",
            "error_after",
            "busy",
            "expired_token",
            "repeated",
            "tls_broken",
            "broken_json",
            "unknown_status",
            "number_amount",
            "time_without_zone",
            "notice_lost",
            "notice_doubled",
            "notice_late",
            "notice_disordered",
            "notice_without_txid",
            "notice_foreign");

    private static final List<String> FAULTS = Stream.concat(
                    CALLS_AND_NOTICES.stream(), Stream.of("other_amount", "second_payment", "unasked_refund"))
            .toList();

    /** In short runs, what the bank did not get is sent again after half a minute instead of four, and lost notices are found sooner. */
    private static final Map<String, String> QUICK_BANK = Map.of(
            "LIGEIRO_RAILS_BANK_INQUIRE_AFTER", "500ms",
            "LIGEIRO_RAILS_BANK_LATE_ARRIVAL", "12s",
            "LIGEIRO_NOTICES_CATCH_UP_EVERY", "3s");

    static final Duration KILL_EVERY = Duration.ofSeconds(IS_LONG ? 60 : 8);
    /** Catch-up finds what notices have not told within 6 minutes. */
    static final Duration SETTLED_WITHIN = Duration.ofMinutes(IS_LONG ? 15 : 4);

    private final SharedSystem ligeiro = new SharedSystem(settings());
    private volatile @Nullable ConstantLoad<LiveOrder> load;

    static Map<String, String> settings() {
        if (IS_LONG) {
            return Map.of();
        }
        Map<String, String> settings = new HashMap<>(SharedSystem.forTests());
        settings.putAll(QUICK_BANK);
        return settings;
    }

    @BeforeEach
    void start() {
        ligeiro.start("--bank", "--gateway=1", "--processor=2", "--webhook-dispatcher=1");
    }

    @AfterEach
    void stop() {
        ligeiro.stop();
    }

    @Test
    void theBanksLedgerAndOursAgreeToTheCent() {
        System.out.println("LiveRunIT: seed " + SEED);
        DemoEnv environment = ligeiro.environment();
        EndToEndMerchant merchant = EndToEndMerchant.live(environment);
        guard(AdminApi.of(environment));
        LiveBank bank = new LiveBank(new Api(environment.bankControlUrl(), null));
        try (ChangeReceiver receiver = new ChangeReceiver(merchant, this::refund);
                ConstantLoad<LiveOrder> traffic = new ConstantLoad<>(
                        merchant, CASHINS + CASHOUTS, LiveOrder.mixture(CASHINS, CASHOUTS, REFUNDS, bank))) {
            load = traffic;
            Recovery recovery = new Recovery(traffic, receiver);
            traffic.awaitMore(20);
            bank.setFaults(SEED, FAULTY_PERCENT / 100.0, FAULTS);
            new Kills(ligeiro, SEED, KILL_EVERY).goOnUntil(Instant.now().plus(FAULTS_FOR), recovery);
            bank.endFaults();
            Instant faultsEnded = Instant.now();
            Map<String, Created<LiveOrder>> created = traffic.end(SETTLED_WITHIN);

            LedgerCheck check = new LedgerCheck(merchant, AdminApi.of(environment), bank, receiver, created);
            List<Difference> differences = check.run(SETTLED_WITHIN);
            System.out.printf(
                    "LiveRunIT: %d transactions, of which %d cashouts were denied for want of funds; settled and checked %d s after "
                            + "the last fault; injected %s; differences, each of a fault: %s%n",
                    check.created().size(),
                    check.deniedForFunds(),
                    Duration.between(faultsEnded, Instant.now()).toSeconds(),
                    bank.injected().stream().collect(groupingBy(Injected::kind, TreeMap::new, counting())),
                    differences.stream().collect(groupingBy(Difference::kind, TreeMap::new, counting())));
        }
    }

    /** Limits that no run reaches, and cashouts only up to the balance. */
    static void guard(AdminApi admin) {
        admin.api()
                .put(
                        "/admin/merchants/" + merchant(admin) + "/guard",
                        Map.of(
                                "mode",
                                "live",
                                "funds_check",
                                true,
                                "day_max",
                                "9000000000.00",
                                "night_max",
                                "9000000000.00",
                                "count_max",
                                1_000_000,
                                "window_seconds",
                                86_400))
                .expect(200);
    }

    static String merchant(AdminApi admin) {
        return admin.api()
                .get("/admin/merchants")
                .expect(200)
                .json()
                .at("/merchants/0/id")
                .asString();
    }

    /** A merchant who gets the webhook of a payment and wants to give some of it back. */
    private void refund(Change change, JsonNode payload) {
        ConstantLoad<LiveOrder> traffic = Objects.requireNonNull(load);
        Created<LiveOrder> created = traffic.created().get(change.transactionId());
        boolean isPaid = payload.required("type").asString().equals("transaction.paid");
        if (isPaid && created != null && created.kind().refund() != null) {
            traffic.refund(change.transactionId(), created.kind().refund());
        }
    }
}
