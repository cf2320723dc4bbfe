package dev.ligeiro.infra.launcher.endtoend;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.launcher.endtoend.ConstantLoad.Created;
import dev.ligeiro.infra.launcher.endtoend.ConstantLoad.Recovery;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

/**
 * Live cashins, of which some are paid by others than must pay them, and many are claimed back at the bank, while it lies, stalls and forgets,
 * and services are killed; with the settings of {@link LiveRunIT}. At the end both sides know the same disputes, and agree to the cent.
 */
@Order(14)
@Isolated("it uses the whole machine")
@Timeout(3_600)
@Tag("nightly")
class DisputedRunIT {

    private static final int PER_SECOND = 5;
    /** Gateways learn within this time that mismatches are refunded. */
    private static final Duration SETTING_KNOWN_WITHIN = Duration.ofSeconds(15);

    private static final Duration HALF = LiveRunIT.FAULTS_FOR.dividedBy(2).plus(SETTING_KNOWN_WITHIN);

    private final SharedSystem ligeiro = new SharedSystem(LiveRunIT.settings());

    @BeforeEach
    void start() {
        ligeiro.start("--bank", "--gateway=2", "--processor=2", "--webhook-dispatcher=2");
    }

    @AfterEach
    void stop() {
        ligeiro.stop();
    }

    @Test
    void bothSidesKnowTheSameDisputesAndAgreeToTheCent() {
        System.out.println("DisputedRunIT: seed " + LiveRunIT.SEED);
        DemoEnv environment = ligeiro.environment();
        EndToEndMerchant merchant = EndToEndMerchant.live(environment);
        AdminApi admin = AdminApi.of(environment);
        LiveRunIT.guard(admin);
        LiveBank bank = new LiveBank(new Api(environment.bankControlUrl(), null));
        Kills kills = new Kills(ligeiro, LiveRunIT.SEED, LiveRunIT.KILL_EVERY);
        try (Claimants claimants = new Claimants(bank);
                ChangeReceiver receiver = new ChangeReceiver(merchant, claimants::hear);
                ConstantLoad<LiveOrder> traffic =
                        new ConstantLoad<>(merchant, PER_SECOND, LiveOrder.disputed(LiveRunIT.SEED, bank))) {
            claimants.of(traffic);
            Recovery recovery = new Recovery(traffic, receiver);
            traffic.awaitMore(20);
            bank.setFaults(LiveRunIT.SEED, LiveRunIT.FAULTY_PERCENT / 100.0, LiveRunIT.CALLS_AND_NOTICES);
            kills.goOnUntil(Instant.now().plus(HALF), recovery);
            Instant refundedFrom = Instant.now();
            refundMismatches(admin);
            kills.goOnUntil(Instant.now().plus(HALF), recovery);
            bank.endFaults();
            Map<String, Created<LiveOrder>> created = traffic.end(LiveRunIT.SETTLED_WITHIN);

            LedgerCheck check = new LedgerCheck(merchant, admin, bank, receiver, created);
            assertThat(check.run(LiveRunIT.SETTLED_WITHIN))
                    .as("unmatched payments, and refunds of the rail without a claim")
                    .isEmpty();
            assertThat(claimants.faults()).isEmpty();
            traffic.end(LiveRunIT.SETTLED_WITHIN); // the last defences too
            requireRefundsOfMismatches(merchant, created, refundedFrom);
            requireLostMoneyToStayBlocked(merchant, created);
            System.out.printf(
                    "DisputedRunIT: %d transactions, %d claims %s%n",
                    created.size(),
                    bank.claims().size(),
                    bank.claims().stream().collect(groupingBy(LiveBank.Claim::status, TreeMap::new, counting())));
        }
    }

    /**
     * With the fault, the money of a lost dispute was the merchant's again until the bank's return was booked. The demo merchant pays no
     * commissions, so a payment that was claimed back is worth nothing from the claim on.
     */
    private static void requireLostMoneyToStayBlocked(
            EndToEndMerchant merchant, Map<String, Created<LiveOrder>> created) {
        Map<String, List<JsonNode>> booked = statement(merchant).stream()
                .collect(groupingBy(entry -> entry.required("transaction_id").asString()));
        List<List<JsonNode>> lost = created.entrySet().stream()
                .filter(each -> each.getValue().kind().isLostWhole())
                .map(each -> booked.getOrDefault(each.getKey(), List.of()))
                .toList();
        assertThat(lost).isNotEmpty().allSatisfy(entries -> {
            BigDecimal worth = BigDecimal.ZERO;
            boolean isClaimed = false;
            for (JsonNode entry : entries) {
                worth = worth.add(new BigDecimal(entry.required("net").asString()));
                isClaimed |= entry.required("type").asString().equals("dispute_blocked");
                if (isClaimed) {
                    assertThat(worth).as("%s", entries).isNotPositive();
                }
            }
            assertThat(isClaimed).isTrue();
            assertThat(worth).isZero();
        });
    }

    /** The entries of today, the oldest first. */
    private static List<JsonNode> statement(EndToEndMerchant merchant) {
        List<JsonNode> entries = new ArrayList<>();
        for (String after = ""; after != null; ) {
            String path = "/api/v1/statement" + (after.isEmpty() ? "" : "?after=" + after);
            JsonNode page = merchant.api().get(path).expect(200).json();
            page.required("entries").forEach(entries::add);
            after = page.required("next_cursor").asStringOpt().orElse(null);
        }
        return entries;
    }

    private static void refundMismatches(AdminApi admin) {
        admin.api()
                .put(
                        "/admin/merchants/" + LiveRunIT.merchant(admin) + "/payers",
                        Map.of("payer_must_match", false, "refund_payer_mismatch", true, "payer_visible", true))
                .expectSuccess();
    }

    /** Only those whose cashin was created after the merchant wanted it. */
    private static void requireRefundsOfMismatches(
            EndToEndMerchant merchant, Map<String, Created<LiveOrder>> created, Instant refundedFrom) {
        long refunded = 0;
        for (Map.Entry<String, Created<LiveOrder>> each : created.entrySet()) {
            Instant at = each.getValue().at();
            boolean isUnclear = !at.isBefore(refundedFrom) && at.isBefore(refundedFrom.plus(SETTING_KNOWN_WITHIN));
            if (!each.getValue().kind().isCashin() || isUnclear) {
                continue;
            }
            boolean isRefunded = merchant.show(each.getKey())
                    .json()
                    .path("refunds")
                    .valueStream()
                    .anyMatch(refund -> refund.path("reason").asString("").equals("payer_mismatch"));
            assertThat(isRefunded)
                    .as(each.getKey())
                    .isEqualTo(each.getValue().kind().isMismatch() && !at.isBefore(refundedFrom));
            refunded += isRefunded ? 1 : 0;
        }
        assertThat(refunded).as("refunded mismatches").isPositive();
    }
}
