package dev.ligeiro.infra.bank;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The webhook of a Pix key, {@code /webhook/{chave}}, and the notices that go to it: {@code POST <url>/pix}, several together, each
 * tried ten times. Notices live in memory, so a crash of the bank loses those that have not arrived.
 */
final class Notices {

    private record Notice(String key, ObjectNode content, int attempts, Instant dueAt) {}

    private static final BiFunction<String, String, Refusal> REFUSAL =
            (field, reason) -> Refusal.violation("WebhookOperacaoInvalida", "webhook." + field, reason);
    private static final int BATCH_MAX = 100;
    private static final int ATTEMPTS_MAX = 10;
    private static final int WAITING_MAX = 100_000;
    /** Doubled for each further attempt. */
    private static final Duration RETRY_AFTER = Duration.ofMillis(500);

    private static final Duration CHECK_EACH = Duration.ofMillis(50);
    private static final Duration CALL_MAX = Duration.ofSeconds(60);

    private final Book book;
    private final BankSettings settings;
    private final Faults faults;
    private final HttpClient client;
    private final HttpClient withoutCertificate;
    private final List<Notice> waiting = new ArrayList<>();

    /**
     * @param identity with the bank's client certificate
     * @param anonymous without one
     */
    Notices(
            Book book,
            BankSettings settings,
            Faults faults,
            Settlements settlements,
            SSLContext identity,
            SSLContext anonymous) {
        this.book = book;
        this.settings = settings;
        this.faults = faults;
        client = client(identity);
        withoutCertificate = client(anonymous);
        settlements.each(CHECK_EACH, this::sendDue);
    }

    private static HttpClient client(SSLContext context) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .sslContext(context)
                .build();
    }

    /** {@code PUT /webhook/{chave}} */
    Reply register(ApiCall call) {
        BodyFields fields = call.fields(REFUSAL);
        String url = fields.text("webhookUrl", 2000);
        checkKey(call.id(0));
        if (!url.matches("https://[^\\s]+") || !isUri(url)) {
            throw fields.refuse("webhookUrl", "expected an https URL");
        }
        if (settings.webhookUrlsChecked) {
            check(url, fields);
        }
        book.write(change -> change.put(new Stored.Webhook(call.id(0), url, Book.now())));
        return Reply.empty(200);
    }

    /** Efí's check: the URL must refuse a caller without certificate and then accept the bank. */
    private void check(String url, BodyFields fields) {
        String empty = "{\"pix\":[]}";
        Integer anonymous = status(withoutCertificate, url, empty);
        if (anonymous != null && anonymous < 400) {
            throw fields.refuse("webhookUrl", "it accepts a caller without certificate");
        }
        Integer status = status(client, url, empty);
        if (status == null || status >= 300) {
            throw fields.refuse("webhookUrl", "it does not accept the bank");
        }
    }

    private static @Nullable Integer status(HttpClient client, String url, String body) {
        try {
            return client.send(request(url, body), BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private static boolean isUri(String url) {
        try {
            return URI.create(url).getHost() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** {@code GET /webhook/{chave}} */
    Reply read(ApiCall call) {
        Stored.Webhook webhook = webhookOf(call.id(0));
        return Reply.ok(Reply.json(
                "webhookUrl", webhook.url(),
                "chave", webhook.key(),
                "cnpj", "11222333000181",
                "criacao", webhook.createdAt()));
    }

    /** {@code DELETE /webhook/{chave}} */
    Reply delete(ApiCall call) {
        webhookOf(call.id(0));
        book.write(change -> change.put(new Stored.Webhook(call.id(0), null, Book.now())));
        return Reply.empty(204);
    }

    private void checkKey(String key) {
        if (!key.equals(settings.pixKey)) {
            throw REFUSAL.apply("chave", "not a key of this account");
        }
    }

    private Stored.Webhook webhookOf(String key) {
        Stored.Webhook webhook = book.read(() -> book.webhooks.get(key));
        if (webhook == null || webhook.url() == null) {
            throw Refusal.problem(404, "WebhookNaoEncontrado", "Não há webhook para a chave informada.");
        }
        return webhook;
    }

    /** Queues a notice for the webhook of {@code key}, if there is one. */
    void announce(String key, ObjectNode content) {
        Instant now = Instant.now();
        String e2eId = content.path("endToEndId").asString("");
        Faults.Decision fault = faults.next(Faults.Place.NOTICE, "notice", e2eId);
        if (fault == null) {
            queue(new Notice(key, content, 0, now));
            return;
        }
        long delayMillis = (long) (settings.delayMax.toMillis() * fault.share());
        switch (fault.kind()) {
            case NOTICE_DOUBLED -> {
                queue(new Notice(key, content, 0, now));
                queue(new Notice(key, content, 0, now.plusMillis(delayMillis)));
            }
            case NOTICE_LATE -> queue(new Notice(key, content, 0, now.plusMillis(delayMillis)));
            case NOTICE_DISORDERED -> queue(new Notice(key, content, 0, now.plusMillis(delayMillis / 4)));
            case NOTICE_WITHOUT_TXID -> {
                ObjectNode without = content.deepCopy();
                without.remove("txid");
                queue(new Notice(key, without, 0, now));
            }
            case NOTICE_FOREIGN -> {
                queue(new Notice(key, content, 0, now));
                ObjectNode foreign = content.deepCopy();
                foreign.put("endToEndId", "E00000000" + e2eId.substring(9)).put("chave", "other-owner@bank.example");
                queue(new Notice(key, foreign, 0, now));
            }
            default -> {} // lost
        }
    }

    private void queue(Notice notice) {
        synchronized (waiting) {
            if (waiting.size() < WAITING_MAX) {
                waiting.add(notice);
            }
        }
    }

    private void sendDue() {
        Map<String, List<Notice>> due = new HashMap<>();
        Instant now = Instant.now();
        synchronized (waiting) {
            waiting.removeIf(notice -> {
                List<Notice> batch = due.computeIfAbsent(notice.key(), key -> new ArrayList<>());
                return !notice.dueAt().isAfter(now) && batch.size() < BATCH_MAX && batch.add(notice);
            });
        }
        due.forEach(this::send);
    }

    private void send(String key, List<Notice> batch) {
        Stored.Webhook webhook = book.read(() -> book.webhooks.get(key));
        if (batch.isEmpty() || webhook == null || webhook.url() == null) {
            return;
        }
        ObjectNode body = Reply.json("pix", batch.stream().map(Notice::content).toList());
        client.sendAsync(request(webhook.url(), body.toString()), BodyHandlers.discarding())
                .whenComplete((response, failure) -> {
                    if (failure != null || response.statusCode() / 100 != 2) {
                        retry(batch);
                    }
                });
    }

    private void retry(List<Notice> batch) {
        for (Notice notice : batch) {
            int attempts = notice.attempts() + 1;
            if (attempts < ATTEMPTS_MAX) {
                Duration wait = RETRY_AFTER.multipliedBy(1L << (attempts - 1));
                queue(new Notice(
                        notice.key(), notice.content(), attempts, Instant.now().plus(wait)));
            }
        }
    }

    private static HttpRequest request(String url, String body) {
        return HttpRequest.newBuilder(URI.create(url.replaceAll("/$", "") + "/pix"))
                .timeout(CALL_MAX)
                .header("Content-Type", Reply.JSON)
                .POST(BodyPublishers.ofString(body))
                .build();
    }
}
