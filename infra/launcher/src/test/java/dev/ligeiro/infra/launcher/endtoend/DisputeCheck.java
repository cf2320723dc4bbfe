package dev.ligeiro.infra.launcher.endtoend;

import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The claims of the bank and the disputes of the merchant at one time. Each claim must be a dispute, with the same amount and outcome, and each
 * dispute must be a claim.
 *
 * @param claims by the end-to-end id of the payment
 * @param disputes by the transaction
 */
record DisputeCheck(Map<String, List<LiveBank.Claim>> claims, Map<String, List<JsonNode>> disputes) {

    private static final Map<String, String> OUTCOMES =
            Map.of("ACEITA", "lost", "REJEITADA", "won", "CANCELADA_EFI", "canceled");

    static DisputeCheck read(EndToEndMerchant merchant, LiveBank bank) {
        List<JsonNode> disputes = new ArrayList<>();
        for (String after = ""; after != null; ) {
            String path = "/api/v1/disputes" + (after.isEmpty() ? "" : "?after=" + after);
            JsonNode page = merchant.api().get(path).expect(200).json();
            page.required("disputes").forEach(disputes::add);
            after = page.path("next_cursor").asStringOpt().orElse(null);
        }
        return new DisputeCheck(
                bank.claims().stream().collect(groupingBy(LiveBank.Claim::e2eId)),
                disputes.stream().collect(groupingBy(dispute -> dispute.required("transaction_id")
                        .asString())));
    }

    /** A text about each difference. */
    List<String> mistakes(ShownTransaction shown, LiveOrder order) {
        List<String> ofBank = of(shown).stream()
                .map(claim -> "%s %s %s"
                        .formatted(
                                claim.protocol(), claim.amount(), OUTCOMES.getOrDefault(claim.status(), "undecided")))
                .toList();
        List<String> ours = disputes.getOrDefault(shown.id(), List.of()).stream()
                .map(dispute -> "%s %s %s"
                        .formatted(
                                dispute.required("protocol").asString(),
                                dispute.required("amount").asString(),
                                dispute.required("status").asString()))
                .toList();
        boolean isMissing = order.claim() != null && ofBank.isEmpty();
        boolean isOpen = ofBank.stream().anyMatch(claim -> claim.endsWith("undecided"));
        return isMissing || isOpen || !ofBank.equals(ours)
                ? List.of("%s: the bank has the claims %s, we have %s".formatted(shown.id(), ofBank, ours))
                : List.of();
    }

    /** The types of the webhooks about the disputes. A defence is announced once if the bank has got it. */
    Stream<String> types(ShownTransaction shown) {
        return of(shown).stream()
                .flatMap(claim -> claim.defended()
                        ? Stream.of("dispute.opened", "dispute.updated", "dispute.closed")
                        : Stream.of("dispute.opened", "dispute.closed"));
    }

    /** The amounts that the bank moves back for the claims that it has accepted. */
    List<String> returned(ShownTransaction shown) {
        return of(shown).stream()
                .filter(claim -> "lost".equals(OUTCOMES.get(claim.status())))
                .map(LiveBank.Claim::amount)
                .toList();
    }

    private List<LiveBank.Claim> of(ShownTransaction shown) {
        return claims.getOrDefault(shown.text("e2e_id"), List.of());
    }
}
