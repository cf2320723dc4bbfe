package dev.ligeiro.desk.webhook;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.desk.http.PageCursor;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.view.Timestamps;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.EndpointChange;
import dev.ligeiro.webhook.EndpointStatus;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Replay;
import dev.ligeiro.webhook.ReplayRequest;
import dev.ligeiro.webhook.StatusFilter;
import dev.ligeiro.webhook.WebhookEndpoint;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.NotNull;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Lists endpoints with their health and their deliveries, and does for a merchant what it can do itself: replay, test event, enabling. */
@RestController
@RequestMapping("/admin")
@Tag(name = "endpoints")
public class EndpointController {

    private static final String ALL = "/merchants/{merchantId}/endpoints";
    private static final String ONE = ALL + "/{endpointId}";

    /** Ten times the attempts of the schedule. It limits the size of the stored delivery. */
    private static final int ATTEMPTS_MAX = 100;

    private final EndpointStore endpoints;
    private final DeliveryStore deliveries;
    private final MaskedPayload payload;
    private final MerchantStore merchants;
    private final Timestamps timestamps;
    private final Clock clock;

    EndpointController(
            EndpointStore endpoints,
            DeliveryStore deliveries,
            MaskedPayload payload,
            MerchantStore merchants,
            @Value("${ligeiro.time-zone}") ZoneId zone,
            Clock clock) {
        this.endpoints = endpoints;
        this.deliveries = deliveries;
        this.payload = payload;
        this.merchants = merchants;
        this.timestamps = new Timestamps(zone);
        this.clock = clock;
    }

    public record NamedEndpoint(@JsonUnwrapped NamedMerchant merchant, @JsonUnwrapped EndpointJson endpoint) {}

    public record FailingList(
            List<NamedEndpoint> endpoints, List<NamedEndpoint> disabled, @Nullable String nextCursor) {}

    @GetMapping("/endpoints/failing")
    @Needs(Role.READ)
    @Operation(
            summary =
                    "Those of all merchants that fail, the longest failing first; the first page also has the 100 that were disabled last")
    FailingList failing(@RequestParam @Nullable String after) {
        Slice<Lane> lanes = endpoints.failing(PageCursor.parse(after));
        Map<UUID, WebhookEndpoint> found =
                endpoints.byId(lanes.items().stream().map(Lane::endpointId).toList());
        List<WebhookEndpoint> failing = lanes.items().stream()
                .flatMap(lane -> Stream.ofNullable(found.get(lane.endpointId())))
                .filter(endpoint -> endpoint.status().isEnabled())
                .toList();
        return new FailingList(named(failing), named(after == null ? endpoints.disabled() : List.of()), lanes.next());
    }

    private List<NamedEndpoint> named(List<WebhookEndpoint> all) {
        Function<@Nullable Tenant, NamedMerchant> named = merchants.namesOfTenants(all, WebhookEndpoint::tenant);
        return json(all, (endpoint, json) -> new NamedEndpoint(named.apply(endpoint.tenant()), json));
    }

    private <T> List<T> json(List<WebhookEndpoint> all, BiFunction<WebhookEndpoint, EndpointJson, T> with) {
        Map<UUID, Lane> lanes =
                endpoints.lanes(all.stream().map(WebhookEndpoint::id).toList());
        return all.stream()
                .map(each -> with.apply(each, EndpointJson.of(each, lanes.get(each.id()), clock.instant())))
                .toList();
    }

    /**
     * An endpoint of a merchant.
     *
     * @param waiting the deliveries that are scheduled; 10,000 stands for as many or more, also in {@code missed}
     * @param missed the deliveries that ended without a success, and can be sent again
     */
    public record CountedEndpoint(@JsonUnwrapped EndpointJson endpoint, long waiting, long missed) {}

    public record EndpointList(List<CountedEndpoint> endpoints, @Nullable String nextCursor) {}

    @GetMapping(ALL)
    @Needs(Role.READ)
    @Operation(summary = "Those of a merchant in both modes, with their health and what they missed")
    public EndpointList list(@PathVariable UUID merchantId) {
        return new EndpointList(counted(endpoints.all(number(merchantId))), null);
    }

    private List<CountedEndpoint> counted(List<WebhookEndpoint> all) {
        return json(
                all,
                (endpoint, json) -> new CountedEndpoint(
                        json,
                        deliveries.count(endpoint.id(), StatusFilter.SCHEDULED),
                        deliveries.count(endpoint.id(), StatusFilter.UNDELIVERED)));
    }

    @GetMapping(ONE)
    @Needs(Role.READ)
    @Operation(summary = "One with its health and what it missed")
    CountedEndpoint show(@PathVariable UUID merchantId, @PathVariable UUID endpointId) {
        return counted(List.of(endpoint(merchantId, endpointId))).get(0);
    }

    record ChangeList(List<EndpointChange> changes, @Nullable String nextCursor) {}

    @GetMapping(ONE + "/changes")
    @Needs(Role.READ)
    @Operation(summary = "Which key has changed an endpoint or its deliveries, also a deleted one, the newest first")
    ChangeList changes(
            @PathVariable UUID merchantId, @PathVariable UUID endpointId, @RequestParam @Nullable UUID after) {
        Slice<EndpointChange> page = endpoints.changes(endpointId, after);
        return new ChangeList(page.items(), page.next());
    }

    public record DeliveryList(List<DeliveryJson> deliveries, @Nullable String nextCursor) {}

    @GetMapping(ONE + "/deliveries")
    @Needs(Role.READ)
    @Operation(summary = "Webhooks to an endpoint, each with its attempts, by the newest transaction")
    DeliveryList deliveries(
            @PathVariable UUID merchantId,
            @PathVariable UUID endpointId,
            @RequestParam @Nullable StatusFilter status,
            @RequestParam(name = "transaction_id") @Nullable UUID transactionId,
            @RequestParam @Nullable String after) {
        WebhookEndpoint endpoint = endpoint(merchantId, endpointId);
        Slice<StoredDelivery> page = deliveries.page(
                endpointId,
                status,
                transactionId == null ? null : new TransactionId(transactionId),
                after == null
                        ? null
                        : deliveryId(after, endpointId)
                                .orElseThrow(() -> Problem.invalid(
                                        "after", "expected the next_cursor of a page of this endpoint's deliveries")));
        return new DeliveryList(shown(endpoint, page.items()), page.next());
    }

    List<DeliveryJson> shown(WebhookEndpoint endpoint, List<StoredDelivery> found) {
        return shown(endpoint, found, response -> null);
    }

    /** With the time of the next attempt as far as one can tell. */
    private List<DeliveryJson> shown(
            WebhookEndpoint endpoint,
            List<StoredDelivery> found,
            Function<? super String, ? extends @Nullable String> masked) {
        Lane lane = endpoints.lanes(List.of(endpoint.id())).get(endpoint.id());
        Instant pausedUntil = lane == null ? null : lane.health().openUntil();
        return found.stream()
                .map(each -> DeliveryJson.of(each, each.nextAttemptAt(endpoint, pausedUntil), masked))
                .toList();
    }

    /** @param payload the body that its requests have, with the personal data masked; null if the transaction is not stored */
    record DeliveryDetail(@JsonUnwrapped DeliveryJson delivery, @Schema(type = "object") @Nullable JsonNode payload) {}

    @GetMapping(ONE + "/deliveries/{deliveryId}")
    @Needs(Role.READ)
    @Operation(summary = "One webhook with its payload and the responses, in which personal data is masked")
    DeliveryDetail delivery(
            @PathVariable UUID merchantId, @PathVariable UUID endpointId, @PathVariable String deliveryId) {
        return delivery(endpoint(merchantId, endpointId), deliveryId);
    }

    DeliveryDetail delivery(WebhookEndpoint endpoint, String deliveryId) {
        StoredDelivery found = find(endpoint.id(), deliveryId);
        MaskedPayload.Masked masked = payload.of(endpoint, found);
        return new DeliveryDetail(
                shown(endpoint, List.of(found), masked.response()).get(0), masked.payload());
    }

    @PostMapping(ONE + "/deliveries/{deliveryId}/redeliver")
    @Needs(Role.OPERATE)
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Operation(summary = "Send one webhook again, before all others of the endpoint")
    DeliveryJson redeliver(
            @PathVariable UUID merchantId, @PathVariable UUID endpointId, @PathVariable String deliveryId) {
        WebhookEndpoint endpoint = enabled(merchantId, endpointId);
        StoredDelivery delivery = find(endpointId, deliveryId);
        if (delivery.attempts().size() >= ATTEMPTS_MAX) {
            throw Problem.of(ProblemCode.TOO_MANY_ATTEMPTS, "A delivery has at most " + ATTEMPTS_MAX + " attempts");
        }
        deliveries.scheduleFirst(delivery, clock.instant());
        return due(endpoint, deliveryId);
    }

    @PostMapping(ONE + "/test")
    @Needs(Role.OPERATE)
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Operation(summary = "Send a test event, before all webhooks that wait")
    DeliveryJson test(@PathVariable UUID merchantId, @PathVariable UUID endpointId) {
        WebhookEndpoint endpoint = enabled(merchantId, endpointId);
        return due(endpoint, deliveries.insertTest(endpointId, clock.instant()).text());
    }

    /** The delivery that is scheduled now, before all others. */
    private DeliveryJson due(WebhookEndpoint endpoint, String deliveryId) {
        endpoints.markDue(endpoint, true, clock.instant());
        StoredDelivery scheduled = find(endpoint.id(), deliveryId);
        return DeliveryJson.of(scheduled, scheduled.nextAttemptAt());
    }

    @PostMapping(ONE + "/enable")
    @Needs(Role.OPERATE)
    @Operation(summary = "Let a disabled endpoint get webhooks again; replay afterwards what it has missed")
    CountedEndpoint enable(@PathVariable UUID merchantId, @PathVariable UUID endpointId) {
        endpoint(merchantId, endpointId);
        Instant now = clock.instant();
        WebhookEndpoint enabled = endpoints
                .change(
                        endpointId,
                        before -> before.status().isEnabled() ? before : before.with(EndpointStatus.enabled(now)))
                .orElseThrow(EndpointController::notFound);
        endpoints.markDue(enabled, false, now);
        return counted(List.of(enabled)).get(0);
    }

    /**
     * The events of a time, to send them again.
     *
     * @param status {@code undelivered} if none is given
     */
    record ReplayBody(@NotNull @Nullable Instant from, @NotNull @Nullable Instant to, @Nullable StatusFilter status) {

        @AssertTrue(message = "expected a time from from to 30 days after it")
        private boolean isTo() {
            return from == null
                    || to == null
                    || !from.isAfter(to) && Duration.between(from, to).compareTo(ReplayRequest.SPAN_MAX) <= 0;
        }

        @AssertTrue(message = "expected another status: scheduled deliveries are sent anyway")
        private boolean isStatus() {
            return status != StatusFilter.SCHEDULED;
        }
    }

    /** @param dateCreated in the configured zone, as merchants see it */
    record ReplayJson(
            UUID id,
            Replay.State status,
            String from,
            String to,
            StatusFilter deliveryStatus,
            long lookedAt,
            long scheduled,
            String dateCreated) {}

    @PostMapping(ONE + "/replay")
    @Needs(Role.OPERATE)
    @Operation(summary = "Send what an endpoint has missed in a time of at most 30 days again, with the same ids")
    ResponseEntity<ReplayJson> replay(
            @PathVariable UUID merchantId, @PathVariable UUID endpointId, @RequestBody ReplayBody body) {
        WebhookEndpoint endpoint = enabled(merchantId, endpointId);
        Instant now = clock.instant();
        ReplayRequest request = new ReplayRequest(
                requireNonNull(body.from),
                requireNonNull(body.to),
                requireNonNullElse(body.status, StatusFilter.UNDELIVERED));
        Replay replay = Replay.begin(UuidV7.at(now.toEpochMilli()), endpointId, endpoint.tenant(), request, now);
        if (!endpoints.insert(replay)) {
            throw Problem.of(ProblemCode.REPLAY_RUNNING, "Wait until the endpoint's running replay has ended");
        }
        return ResponseEntity.accepted()
                .location(URI.create(
                        "/admin/merchants/" + merchantId + "/endpoints/" + endpointId + "/replays/" + replay.id()))
                .body(json(replay));
    }

    @GetMapping(ONE + "/replays/{replayId}")
    @Needs(Role.READ)
    @Operation(summary = "How far a replay is")
    ReplayJson showReplay(@PathVariable UUID merchantId, @PathVariable UUID endpointId, @PathVariable UUID replayId) {
        endpoint(merchantId, endpointId);
        return json(endpoints
                .replay(endpointId, replayId)
                .orElseThrow(() -> Problem.notFound("This webhook endpoint has no replay with this id")));
    }

    private ReplayJson json(Replay replay) {
        return new ReplayJson(
                replay.id(),
                replay.state(),
                replay.request().from().toString(),
                replay.request().to().toString(),
                replay.request().status(),
                replay.looked(),
                replay.scheduled(),
                timestamps.format(replay.createdAt()));
    }

    /** Nothing is scheduled for a disabled endpoint: a dispatcher would cancel it. */
    private WebhookEndpoint enabled(UUID merchantId, UUID endpointId) {
        WebhookEndpoint endpoint = endpoint(merchantId, endpointId);
        if (!endpoint.status().isEnabled()) {
            throw Problem.of(ProblemCode.ENDPOINT_DISABLED, "Enable the webhook endpoint first");
        }
        return endpoint;
    }

    /** The merchant's endpoint, in either mode. */
    WebhookEndpoint endpoint(UUID merchantId, UUID endpointId) {
        return endpoints.find(number(merchantId), endpointId);
    }

    private long number(UUID merchantId) {
        return merchants
                .find(merchantId)
                .orElseThrow(EndpointController::notFound)
                .number();
    }

    private static Problem notFound() {
        return Problem.notFound("There is no such merchant or webhook endpoint");
    }

    private StoredDelivery find(UUID endpointId, String deliveryId) {
        return deliveryId(deliveryId, endpointId)
                .flatMap(deliveries::find)
                .orElseThrow(() -> Problem.notFound("This webhook endpoint has no delivery with this id"));
    }

    private static Optional<DeliveryId> deliveryId(String text, UUID endpointId) {
        try {
            return Optional.of(DeliveryId.parse(text, endpointId));
        } catch (IllegalArgumentException other) {
            return Optional.empty();
        }
    }
}
