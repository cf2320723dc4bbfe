package dev.ligeiro.gateway.operator.admin;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.store.merchant.LiveMode;
import dev.ligeiro.gateway.store.merchant.StopStore;
import dev.ligeiro.gateway.store.merchant.Stops;
import dev.ligeiro.merchant.Stop;
import dev.ligeiro.transaction.Codes;
import dev.ligeiro.transaction.Operation;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code /admin/route-stop}: stops new live transactions of a rail, and lets them begin again. What has been created goes on. A change takes
 * effect on this gateway at once, on others within 5 seconds.
 */
@Component
class RouteStopController implements ManagementRoutes {

    private static final String PATH = "/admin/route-stop";
    private static final int NAME_MAX = 100;
    private static final int REASON_MAX = 255;
    private static final Codes<Operation> OPERATIONS = new Codes<>(Operation.class);

    private final AdminRoutes routes;
    private final StopStore store;
    private final LiveMode liveMode;
    private final Stops stops;
    private final Clock clock;

    RouteStopController(AdminRoutes routes, StopStore store, LiveMode liveMode, Stops stops, Clock clock) {
        this.routes = routes;
        this.store = store;
        this.liveMode = liveMode;
        this.stops = stops;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(routes.putJsonByBody(PATH, this::change), routes.get(PATH, this::show));
    }

    /** {@code {stopped, rail, operation?, reason}}: without an operation, both. */
    private Mono<ServerResponse> change(ServerRequest request, Operator operator, ObjectNode body) {
        Fields fields = new Fields(body);
        boolean stopped = fields.requiredBoolean("stopped");
        String rail = fields.requiredText("rail", NAME_MAX);
        if (stopped && rail != null && !liveMode.hasRail(rail)) {
            fields.reject(new FieldError("rail", "unknown", "expected a rail of ligeiro.rails.routes"));
        }
        Operation only = fields.optionalParsed("operation", RouteStopController::operation);
        fields.refuseEmpty("operation");
        String reason = fields.requiredText("reason", REASON_MAX);
        fields.orThrow();
        operator.require(stopped || only == Operation.CASHIN ? Role.OPERATE : Role.MONEY);
        return Flux.fromIterable(only == null ? List.of(Operation.values()) : List.of(only))
                .concatMap(operation -> stopped
                        ? store.stop(Stop.ofRoute(
                                requireNonNull(rail),
                                operation,
                                requireNonNull(reason),
                                operator.name(),
                                Instant.ofEpochMilli(clock.millis())))
                        : store.resume(Stop.routeId(requireNonNull(rail), operation)))
                .then(Mono.defer(() -> show(request, operator)));
    }

    private static Operation operation(String text) {
        return OPERATIONS.find(text).orElseThrow(() -> new IllegalArgumentException("expected cashin or cashout"));
    }

    private Mono<ServerResponse> show(ServerRequest request, Operator operator) {
        return stops.read()
                .map(all -> all.stream()
                        .filter(Stop::isRoute)
                        .map(RouteStopJson::of)
                        .toList())
                .flatMap(routeStops -> AdminResponse.ok(new RouteStopsJson(routeStops)));
    }

    private record RouteStopsJson(List<RouteStopJson> stops) {}

    private record RouteStopJson(String rail, String operation, String reason, String operator, Instant at) {

        static RouteStopJson of(Stop stop) {
            return new RouteStopJson(
                    requireNonNull(stop.rail()),
                    requireNonNull(stop.operation()).code(),
                    stop.reason(),
                    stop.operator(),
                    stop.at());
        }
    }
}
