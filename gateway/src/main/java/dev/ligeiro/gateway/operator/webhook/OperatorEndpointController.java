package dev.ligeiro.gateway.operator.webhook;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.gateway.api.webhook.ChangeEndpoint;
import dev.ligeiro.gateway.api.webhook.EndpointChangeStore;
import dev.ligeiro.gateway.api.webhook.RegisteredEndpointStore;
import dev.ligeiro.gateway.api.webhook.delivery.DeliveryListStore;
import dev.ligeiro.gateway.api.webhook.delivery.ScheduleDelivery;
import dev.ligeiro.gateway.api.webhook.replay.Replays;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.JsonBody;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.gateway.operator.admin.AdminResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.MerchantNames;
import dev.ligeiro.gateway.operator.admin.NamedMerchant;
import dev.ligeiro.gateway.operator.admin.Operator;
import dev.ligeiro.gateway.operator.admin.Role;
import dev.ligeiro.gateway.operator.webhook.EndpointHealthStore.FailingCursor;
import dev.ligeiro.gateway.store.merchant.MerchantStore;
import dev.ligeiro.message.EventType;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.EndpointChange;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.StatusFilter;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code /admin/merchants/{id}/endpoints}: lists a merchant's webhook endpoints with their health, their deliveries, and does for the merchant what
 * it can do itself: a replay, a test event, enabling. {@code /admin/endpoints/failing}: those of all merchants that fail.
 */
@Component
class OperatorEndpointController implements ManagementRoutes {

    private static final String ALL = "/admin/merchants/{id}/endpoints";
    private static final String ONE = ALL + "/{endpoint_id}";
    private static final Pattern CURSOR = Pattern.compile("([0-9]{1,15})-(.{36})");
    /** Of an endpoint's two counts: the client for long reads has few connections. */
    private static final int CONCURRENCY = 4;

    private final AdminRoutes routes;
    private final MerchantStore merchants;
    private final MerchantNames names;
    private final RegisteredEndpointStore registered;
    private final EndpointHealthStore health;
    private final EndpointChangeStore changes;
    private final DeliveryListStore deliveries;
    private final ChangeEndpoint change;
    private final ScheduleDelivery schedule;
    private final Replays replays;
    private final Clock clock;

    OperatorEndpointController(
            AdminRoutes routes,
            MerchantStore merchants,
            MerchantNames names,
            RegisteredEndpointStore registered,
            EndpointHealthStore health,
            EndpointChangeStore changes,
            DeliveryListStore deliveries,
            ChangeEndpoint change,
            ScheduleDelivery schedule,
            Replays replays,
            Clock clock) {
        this.routes = routes;
        this.merchants = merchants;
        this.names = names;
        this.registered = registered;
        this.health = health;
        this.changes = changes;
        this.deliveries = deliveries;
        this.change = change;
        this.schedule = schedule;
        this.replays = replays;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.get("/admin/endpoints/failing", this::failing),
                routes.get(ALL, this::list),
                routes.get(ONE + "/changes", this::changes),
                routes.get(ONE + "/deliveries", found(this::deliveries)),
                routes.get(ONE + "/replays/{replay_id}", found(replays::show)),
                routes.postJson(ONE + "/replay", Role.OPERATE, this::replay),
                routes.postJson(ONE + "/test", Role.OPERATE, this::test),
                routes.postJson(ONE + "/enable", Role.OPERATE, this::enable));
    }

    /** The merchant's endpoints in both modes, the newest first in each. */
    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        return merchants
                .merchant(Route.variable(request, "id", Fields::uuid, OperatorEndpointController::notFound))
                .switchIfEmpty(Mono.error(OperatorEndpointController::notFound))
                .flatMapMany(merchant -> both(merchant.number()))
                .concatMap(registered::all)
                .collectList()
                .flatMap(this::shown)
                .flatMap(items -> AdminResponse.page("endpoints", new AdminPage<>(items, null)));
    }

    private static Flux<Tenant> both(long number) {
        return Flux.fromArray(Mode.values()).map(mode -> Tenant.of(number, mode));
    }

    private Mono<List<CountedJson>> shown(List<WebhookEndpoint> all) {
        List<UUID> ids = all.stream().map(WebhookEndpoint::id).toList();
        Instant now = clock.instant();
        return health.lanes(ids).flatMap(lanes -> Flux.fromIterable(all)
                .flatMapSequential(
                        endpoint -> Mono.zip(
                                        health.count(endpoint.id(), StatusFilter.SCHEDULED),
                                        health.count(endpoint.id(), StatusFilter.UNDELIVERED))
                                .map(counts -> new CountedJson(
                                        EndpointJson.of(endpoint, lanes.get(endpoint.id()), now),
                                        counts.getT1(),
                                        counts.getT2())),
                        CONCURRENCY)
                .collectList());
    }

    /** {@code ?after=}: which key has changed the endpoint or its deliveries, the newest first; also of an endpoint that was deleted. */
    private Mono<ServerResponse> changes(ServerRequest request, Operator operator) {
        UUID id = Route.variable(request, "endpoint_id", Fields::uuid, OperatorEndpointController::notFound);
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("after"));
        UUID after = given.parsed("after", Fields::uuid);
        given.orThrow();
        return changes.ofEndpoint(id, after, AdminPage.ITEMS_MAX + 1)
                .flatMap(found -> AdminResponse.page("changes", AdminPage.of(found, EndpointChange::id)));
    }

    /** {@code ?after=}: failing ones, the longest failing first; the first page also has the 100 that were disabled last. */
    private Mono<ServerResponse> failing(ServerRequest request, Operator operator) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("after"));
        FailingCursor after = given.parsed("after", OperatorEndpointController::cursor);
        given.orThrow();
        Instant now = clock.instant();
        Mono<AdminPage<Lane, String>> lanes =
                health.failing(after).map(found -> AdminPage.of(found, OperatorEndpointController::text));
        Mono<List<WebhookEndpoint>> disabled = after == null ? health.disabled() : Mono.just(List.of());
        return Mono.zip(lanes, disabled).flatMap(both -> failing(both.getT1(), both.getT2(), now));
    }

    private Mono<ServerResponse> failing(AdminPage<Lane, String> lanes, List<WebhookEndpoint> disabled, Instant now) {
        List<UUID> ids = lanes.items().stream().map(Lane::endpointId).toList();
        return health.endpoints(ids)
                .map(found -> lanes.items().stream()
                        .flatMap(lane -> Stream.ofNullable(found.get(lane.endpointId()))
                                .filter(endpoint ->
                                        !endpoint.isFeed() && endpoint.status().isEnabled())
                                .map(endpoint -> new Failing(endpoint, lane)))
                        .toList())
                .flatMap(failing -> Mono.zip(
                        named(failing, now),
                        named(
                                disabled.stream()
                                        .map(each -> new Failing(each, null))
                                        .toList(),
                                now)))
                .flatMap(named -> {
                    Map<String, @Nullable Object> body = new LinkedHashMap<>();
                    body.put("endpoints", named.getT1());
                    body.put("disabled", named.getT2());
                    body.put("next_cursor", lanes.next());
                    return AdminResponse.ok(body);
                });
    }

    private Mono<List<NamedJson>> named(List<Failing> all, Instant now) {
        return names.ofTenants(
                        new AdminPage<>(all, null),
                        each -> each.endpoint().tenant(),
                        (each, merchant) -> new NamedJson(merchant, EndpointJson.of(each.endpoint(), each.lane(), now)))
                .map(AdminPage::items);
    }

    private static FailingCursor cursor(String text) {
        Matcher form = CURSOR.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("expected the next_cursor of a page");
        }
        return new FailingCursor(Instant.ofEpochMilli(Long.parseLong(form.group(1))), Fields.uuid(form.group(2)));
    }

    private static String text(Lane last) {
        Instant since = last.health().failingSince();
        return (since == null ? 0 : since.toEpochMilli()) + "-" + last.endpointId();
    }

    /** {@code ?status=&transaction_id=&after=} */
    private Mono<ServerResponse> deliveries(ServerRequest request, WebhookEndpoint endpoint) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("status", "transaction_id", "after"));
        StatusFilter status = given.parsed("status", StatusFilter::parse);
        TransactionId transaction = given.parsed("transaction_id", text -> new TransactionId(Fields.uuid(text)));
        DeliveryId after = given.parsed("after", text -> DeliveryId.parse(text, endpoint.id()));
        given.orThrow();
        return deliveries
                .page(endpoint.id(), status, transaction, after)
                .zipWith(health.lanes(List.of(endpoint.id())))
                .flatMap(found -> AdminResponse.page(
                        "deliveries",
                        new AdminPage<>(
                                found.getT1().items().stream()
                                        .map(delivery -> shown(
                                                delivery,
                                                endpoint,
                                                found.getT2().get(endpoint.id())))
                                        .toList(),
                                found.getT1().next() == null
                                        ? null
                                        : found.getT1().next().text())));
    }

    private static OperatorDelivery shown(StoredDelivery delivery, WebhookEndpoint endpoint, @Nullable Lane lane) {
        Instant pausedUntil = lane == null ? null : lane.health().openUntil();
        return OperatorDelivery.of(delivery, delivery.nextAttemptAt(endpoint, pausedUntil));
    }

    /** {@code {from, to, status?}} */
    private Mono<ServerResponse> replay(ServerRequest request, Operator operator, ObjectNode body) {
        String path = request.path();
        return endpoint(request)
                .flatMap(endpoint -> replays.start(path.substring(0, path.lastIndexOf('/')), endpoint, body));
    }

    private Mono<ServerResponse> test(ServerRequest request, Operator operator, ObjectNode body) {
        new Fields(body).orThrow();
        return endpoint(request)
                .flatMap(schedule::testEvent)
                .flatMap(sent -> AdminResponse.of(HttpStatus.ACCEPTED, OperatorDelivery.of(sent)));
    }

    /** Also one that its merchant has disabled: the merchant has asked for it. */
    private Mono<ServerResponse> enable(ServerRequest request, Operator operator, ObjectNode body) {
        new Fields(body).orThrow();
        ObjectNode patch = JsonBody.none().put("enabled", true);
        return endpoint(request)
                .flatMap(endpoint -> change.patch(endpoint.tenant(), endpoint.id(), patch))
                .switchIfEmpty(Mono.error(OperatorEndpointController::notFound))
                .flatMap(enabled -> shown(List.of(enabled)))
                .flatMap(shown -> AdminResponse.ok(shown.get(0)));
    }

    private Route.Handler<Operator> found(Route.Handler<WebhookEndpoint> handler) {
        return (request, operator) -> endpoint(request).flatMap(endpoint -> handler.handle(request, endpoint));
    }

    /** The merchant's endpoint that the path names, in either mode. */
    private Mono<WebhookEndpoint> endpoint(ServerRequest request) {
        UUID merchantId = Route.variable(request, "id", Fields::uuid, OperatorEndpointController::notFound);
        UUID id = Route.variable(request, "endpoint_id", Fields::uuid, OperatorEndpointController::notFound);
        return merchants
                .merchant(merchantId)
                .flatMapMany(merchant -> both(merchant.number()))
                .concatMap(tenant -> registered.find(tenant, id))
                .next()
                .switchIfEmpty(Mono.error(OperatorEndpointController::notFound));
    }

    private static Problem notFound() {
        return Problem.of(ProblemCode.NOT_FOUND, "There is no such merchant or webhook endpoint");
    }

    /** @param lane null for a disabled endpoint */
    private record Failing(WebhookEndpoint endpoint, @Nullable Lane lane) {}

    private record NamedJson(@JsonUnwrapped NamedMerchant merchant, @JsonUnwrapped EndpointJson endpoint) {}

    /**
     * An endpoint of a merchant.
     *
     * @param waiting the deliveries that are scheduled; 10,000 stands for as many or more, also in {@code missed}
     * @param missed the deliveries that ended without a success, and can be sent again
     */
    private record CountedJson(@JsonUnwrapped EndpointJson endpoint, long waiting, long missed) {}

    /**
     * An endpoint and how it has answered lately.
     *
     * @param url scheme, host and port: a path or a query may have a secret
     * @param failingSince the first failure since the last success
     * @param breaker {@code open} while no attempt is made, until {@code breakerOpenUntil}
     */
    private record EndpointJson(
            UUID id,
            Mode mode,
            String url,
            List<String> events,
            String status,
            @Nullable String disabledReason,
            @Nullable Instant disabledSince,
            @Nullable Instant failingSince,
            int failures,
            String breaker,
            @Nullable Instant breakerOpenUntil,
            @Nullable Instant nextAttemptAt,
            Instant createdAt) {

        static EndpointJson of(WebhookEndpoint endpoint, @Nullable Lane lane, Instant now) {
            Lane.Health health = lane == null ? Lane.Health.GOOD : lane.health();
            boolean isOpen = health.openUntil() != null && health.openUntil().isAfter(now);
            boolean isEnabled = endpoint.status().isEnabled();
            return new EndpointJson(
                    endpoint.id(),
                    endpoint.tenant().mode(),
                    place(endpoint.url()),
                    endpoint.events().keySet().stream()
                            .map(EventType::code)
                            .sorted()
                            .toList(),
                    isEnabled ? "enabled" : "disabled",
                    Optional.ofNullable(endpoint.status().reason())
                            .map(Coded::code)
                            .orElse(null),
                    isEnabled ? null : endpoint.status().since(),
                    health.failingSince(),
                    health.failures(),
                    isOpen ? "open" : "closed",
                    isOpen ? health.openUntil() : null,
                    lane == null ? null : lane.dueAt(),
                    endpoint.createdAt());
        }

        private static String place(String url) {
            URI uri = URI.create(url);
            String path = uri.getRawPath();
            boolean isAll = (path == null || path.isEmpty() || path.equals("/")) && uri.getRawQuery() == null;
            return uri.getScheme() + "://" + uri.getRawAuthority() + (isAll ? "/" : "/…");
        }
    }
}
