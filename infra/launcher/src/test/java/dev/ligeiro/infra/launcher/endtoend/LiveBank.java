package dev.ligeiro.infra.launcher.endtoend;

import dev.ligeiro.infra.client.Api;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The control port of the bank of {@code infra/run --bank}. */
record LiveBank(Api api) {

    /**
     * Money that the bank has moved.
     *
     * @param direction {@code in}, {@code out} or {@code refund}
     * @param id of the charge, cashout or refund
     * @param e2eId of the payment; that of a refund is the refunded payment's
     */
    record Moved(String direction, String id, String e2eId, String amount) {}

    /** @param id of the call, the charge that was paid, or the payment of the notice */
    record Injected(String kind, String id) {}

    HttpRequest.Builder payment(String qrCode) {
        return api.json("POST", "/payer/pay", Map.of("qr_code", qrCode));
    }

    /** By another than the one who is asked to pay. */
    HttpRequest.Builder paymentByAnother(String qrCode) {
        return api.json(
                "POST", "/payer/pay", Map.of("qr_code", qrCode, "name", "João Souza", "document", "11144477735"));
    }

    /** By the holder of the document. */
    HttpRequest.Builder payment(String qrCode, String name, String document) {
        return api.json("POST", "/payer/pay", Map.of("qr_code", qrCode, "name", name, "document", document));
    }

    /**
     * A payer's claim.
     *
     * @param status in the bank's word
     * @param defended whether the bank has a defence
     */
    record Claim(String protocol, String e2eId, String amount, String status, boolean defended) {}

    /** Returns the bank's id of the new claim. */
    String claim(String e2eId, String amount) {
        return api.post("/payer/dispute", Map.of("e2e_id", e2eId, "amount", amount))
                .expect(200)
                .text("id");
    }

    /** @param returnAfter when the money of an accepted claim goes back */
    void decide(String claim, String outcome, Duration returnAfter) {
        Map<String, Object> decision = Map.of("outcome", outcome, "return_after_seconds", returnAfter.toSeconds());
        api.post("/payer/dispute/" + claim + "/decide", decision).expect(200);
    }

    List<Claim> claims() {
        return api.get("/payer/disputes")
                .expect(200)
                .json()
                .required("disputes")
                .valueStream()
                .map(claim -> new Claim(
                        text(claim, "protocol"),
                        text(claim, "e2e_id"),
                        text(claim, "amount"),
                        text(claim, "status"),
                        claim.required("defended").asBoolean()))
                .toList();
    }

    void setFaults(long seed, double rate, List<String> kinds) {
        api.put("/faults", Map.of("seed", seed, "rate", rate, "kinds", kinds)).expect(200);
    }

    void endFaults() {
        api.put("/faults", Map.of("rate", 0)).expect(200);
    }

    List<Injected> injected() {
        return api.get("/faults")
                .expect(200)
                .json()
                .required("injected")
                .valueStream()
                .map(fault -> new Injected(text(fault, "kind"), text(fault, "id")))
                .toList();
    }

    /** The oldest first. */
    List<Moved> ledger() {
        List<Moved> ledger = new ArrayList<>();
        for (String cursor = ""; cursor != null; ) {
            JsonNode page = api.get("/ledger?after=" + cursor).expect(200).json();
            page.required("entries")
                    .forEach(entry -> ledger.add(new Moved(
                            text(entry, "direction"),
                            text(entry, "id"),
                            text(entry, "e2e_id"),
                            text(entry, "amount"))));
            cursor = page.required("next_cursor").asStringOpt().orElse(null);
        }
        return ledger;
    }

    private static String text(JsonNode node, String field) {
        return node.required(field).asString();
    }
}
