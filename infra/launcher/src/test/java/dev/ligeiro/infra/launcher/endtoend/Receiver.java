package dev.ligeiro.infra.launcher.endtoend;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.testing.webhook.WebhookReceiver;
import dev.ligeiro.testing.webhook.WebhookReceiver.Received;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A merchant's endpoint for webhooks of all types. It verifies their signatures. */
final class Receiver implements AutoCloseable {

    static final List<String> EVERY_TYPE = List.of(
            "transaction.created",
            "transaction.in_process",
            "transaction.paid",
            "transaction.denied",
            "transaction.in_analysis",
            "transaction.canceled",
            "transaction.expired",
            "transaction.refund",
            "transaction.refunded_partially",
            "transaction.refund_failed",
            "transaction.payer_mismatch",
            "dispute.opened",
            "dispute.updated",
            "dispute.closed");
    private static final String PATH = "/";

    private final WebhookReceiver server = new WebhookReceiver();
    private final Webhook webhook;

    /** Starts the server and registers its URL at the gateway. */
    Receiver(EndToEndMerchant merchant) {
        webhook = register(merchant, server.url(PATH));
    }

    /** Registers an endpoint for webhooks of all types. Returns the verifier of their signatures. */
    static Webhook register(EndToEndMerchant merchant, String url) {
        String secret = merchant.api()
                .post(MerchantApi.WEBHOOKS_PATH, Map.of("url", url, "events", EVERY_TYPE))
                .expect(201)
                .text("secret");
        try {
            return new Webhook(secret);
        } catch (EmptyWebhookSecretException e) {
            throw new AssertionError(e);
        }
    }

    /** @throws AssertionError when the signature is invalid for the library of Standard Webhooks */
    static void verify(Webhook webhook, Map<String, List<String>> headers, String body) {
        // the library expects lower-case header names
        Map<String, List<String>> lowerCase = headers.entrySet().stream()
                .collect(Collectors.toMap(header -> header.getKey().toLowerCase(Locale.ROOT), Map.Entry::getValue));
        try {
            webhook.verify(body, lowerCase);
        } catch (WebhookVerificationException e) {
            throw new AssertionError(body, e);
        }
    }

    /**
     * All webhooks so far, repetitions included.
     *
     * @throws AssertionError when a signature is invalid for the library of Standard Webhooks
     */
    List<ReceivedWebhook> received() {
        return server.received(PATH).stream().map(this::verified).toList();
    }

    private ReceivedWebhook verified(Received request) {
        verify(webhook, request.headers(), request.body());
        return ReceivedWebhook.of(request);
    }

    /**
     * The webhooks of one transaction, sorted by sequence: they may arrive in another order. One that is repeated, because its attempt
     * has timed out on a busy machine, counts once.
     */
    List<ReceivedWebhook> of(String transactionId) {
        return received().stream()
                .filter(each -> each.transaction().id().equals(transactionId))
                .collect(Collectors.toMap(ReceivedWebhook::id, Function.identity(), (first, repeated) -> first))
                .values()
                .stream()
                .sorted(Comparator.comparingInt(ReceivedWebhook::sequence))
                .toList();
    }

    @Override
    public void close() {
        server.close();
    }

    /** A webhook with a valid signature. */
    record ReceivedWebhook(Received request, JsonNode payload) {

        private static final JsonMapper JSON = new JsonMapper();

        static ReceivedWebhook of(Received request) {
            return new ReceivedWebhook(request, JSON.readTree(request.body()));
        }

        /** The header {@code webhook-id}, the same at each repetition. */
        String id() {
            return request.header("webhook-id");
        }

        String type() {
            return payload.required("type").asString();
        }

        int sequence() {
            return payload.required("data").required("sequence").asInt();
        }

        ShownTransaction transaction() {
            return new ShownTransaction(payload.required("data"));
        }
    }
}
