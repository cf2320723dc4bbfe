package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.dispatcher.http.PostResult;
import dev.ligeiro.dispatcher.http.RetryAfter;
import dev.ligeiro.dispatcher.http.TooManyLookups;
import dev.ligeiro.dispatcher.http.WebhookClient;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Makes one attempt of a delivery: signs the payload, posts it and classifies the result. */
@Component
public class AttemptDelivery {

    private static final PostResult NOT_SENT = PostResult.none(AttemptOutcome.UNSENDABLE);

    private final PayloadStore payloads;
    private final SignedHeaders signedHeaders;
    private final WebhookClient client;
    private final AttemptJournal journal;
    private final Clock clock;

    AttemptDelivery(
            PayloadStore payloads,
            SignedHeaders signedHeaders,
            WebhookClient client,
            AttemptJournal journal,
            Clock clock) {
        this.payloads = payloads;
        this.signedHeaders = signedHeaders;
        this.client = client;
        this.journal = journal;
        this.clock = clock;
    }

    /**
     * Gives the completed attempt. Reads the payload of a stored delivery if it has none. Gives an error, and no request was sent, if
     * MongoDB does not answer, or not until {@code startBefore}, because the attempt may outlast the lease of the lane; and
     * {@link TooManyLookups} if too many DNS lookups run.
     */
    Mono<Completed> attempt(Dispatch dispatch, Instant startBefore) {
        if (dispatch.body().length > 0) {
            return post(dispatch, startBefore);
        }
        return payload(dispatch)
                .flatMap(body -> post(dispatch.withBody(body), startBefore))
                .switchIfEmpty(Mono.fromSupplier(() -> withoutPayload(dispatch)));
    }

    /** A stored delivery with its payload; without, if that cannot be read now. */
    public Mono<Dispatch> withPayload(Dispatch due) {
        return payload(due).map(due::withBody).defaultIfEmpty(due).onErrorReturn(due);
    }

    private Mono<byte[]> payload(Dispatch due) {
        return payloads.of(due.endpoint().tenant(), due.id());
    }

    private Mono<Completed> post(Dispatch dispatch, Instant startBefore) {
        return Mono.defer(() -> {
            Start start = start();
            if (start.at().isAfter(startBefore)) {
                return Mono.error(new IllegalStateException("payload: too late"));
            }
            return post(dispatch, start)
                    .map(result -> completed(dispatch, start, result))
                    .doOnNext(journal::record)
                    .onErrorResume(
                            reason -> !(reason instanceof TooManyLookups),
                            reason -> Mono.just(unsendable(dispatch, start, reason)));
        });
    }

    private Completed withoutPayload(Dispatch dispatch) {
        return unsendable(
                dispatch, start(), new IllegalArgumentException("the transaction is not stored or not readable"));
    }

    private Start start() {
        return new Start(clock.instant().truncatedTo(ChronoUnit.MILLIS), System.nanoTime());
    }

    /** The start of an attempt. Its duration does not come from the clock, which may be set back meanwhile. */
    private record Start(Instant at, long nanos) {

        Duration passed() {
            return Duration.ofNanos(System.nanoTime() - nanos);
        }
    }

    /** The message of an exception that is not our own may contain the URL. */
    private Completed unsendable(Dispatch dispatch, Start start, Throwable reason) {
        Completed completed = completed(dispatch, start, NOT_SENT);
        boolean isOurs = reason instanceof IllegalArgumentException;
        journal.recordUnsendable(
                completed,
                isOurs ? String.valueOf(reason.getMessage()) : reason.getClass().getSimpleName());
        return completed;
    }

    /** @throws IllegalArgumentException if the endpoint's URL is malformed, or a secret or header cannot be decrypted */
    private Mono<PostResult> post(Dispatch dispatch, Start start) {
        return Mono.defer(() -> {
            WebhookEndpoint endpoint = dispatch.endpoint();
            Map<String, String> headers =
                    signedHeaders.of(endpoint, dispatch.eventId().toString(), start.at(), dispatch.body());
            return client.post(endpoint.tenant(), postable(endpoint.url()), headers, dispatch.body());
        });
    }

    /** Checks the URL rules of registration again. The exception's message does not contain the URL, which may hold a secret. */
    private static URI postable(String url) {
        try {
            URI uri = new URI(url);
            boolean http = "https".equalsIgnoreCase(uri.getScheme()) || "http".equalsIgnoreCase(uri.getScheme());
            if (http && uri.getHost() != null && uri.getRawUserInfo() == null) {
                return uri;
            }
        } catch (URISyntaxException malformed) {
            // its message contains the URL
        }
        throw new IllegalArgumentException("url: malformed (expected: http or https, a host, no user information)");
    }

    private Completed completed(Dispatch dispatch, Start start, PostResult result) {
        Attempt attempt = new Attempt(start.at(), result.outcome(), result.status(), start.passed(), result.text());
        return new Completed(
                dispatch,
                attempt,
                RetryAfter.parse(result.retryAfter(), clock.instant(), RetrySchedule.RETRY_AFTER_MAX));
    }
}
