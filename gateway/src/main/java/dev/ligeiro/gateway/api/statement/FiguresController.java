package dev.ligeiro.gateway.api.statement;

import dev.ligeiro.gateway.api.list.CountMatches;
import dev.ligeiro.gateway.api.list.Span;
import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.gateway.http.Request;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.Routes;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.auth.Callers;
import dev.ligeiro.gateway.http.limit.BoundedReads;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.http.response.JsonResponse;
import dev.ligeiro.gateway.store.FailFast;
import dev.ligeiro.merchant.Scope;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.DenialCount;
import dev.ligeiro.store.PaidFigures;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Tenant;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JsonGenerator;

/**
 * {@code GET /api/v1/figures}: how many transactions were created and paid on each of the last days, the oldest first, and why
 * others were denied. The paid ones are counted by the books, the created ones by the lists.
 */
@Component
@Order(5)
class FiguresController implements Routes {

    private static final int DAYS_DEFAULT = 30;
    private static final int DAYS_MAX = 92;

    private final Callers callers;
    private final StatementStore store;
    private final CountMatches counts;
    private final BoundedReads reads;
    private final FailFast failFast;
    private final ZoneId zone;
    private final Clock clock;

    FiguresController(
            Callers callers,
            StatementStore store,
            CountMatches counts,
            BoundedReads reads,
            FailFast failFast,
            GatewayProperties properties,
            Clock clock) {
        this.callers = callers;
        this.store = store;
        this.counts = counts;
        this.reads = reads;
        this.failFast = failFast;
        this.zone = properties.timeZone();
        this.clock = clock;
    }

    /**
     * The figures of a day.
     *
     * @param created null while it is being counted
     * @param paid null if the books have not counted it
     */
    private record Day(LocalDate date, @Nullable Long created, @Nullable PaidFigures paid) {}

    @Override
    public List<Route> routes() {
        return List.of(Route.get("/api/v1/figures", callers.with(Scope.TRANSACTIONS_READ), this::figures));
    }

    private Mono<ServerResponse> figures(Request<Caller> request) {
        Tenant tenant = request.caller().tenant();
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("days"));
        int number = given.number("days", 1, DAYS_MAX, DAYS_DEFAULT);
        given.orThrow();
        LocalDate today = LocalDate.ofInstant(clock.instant(), zone);
        List<LocalDate> dates = IntStream.range(0, number)
                .mapToObj(day -> today.minusDays(number - 1L - day))
                .toList();
        Instant from = start(dates.get(0));
        Instant before = start(today.plusDays(1));
        return Mono.zip(
                        counts.createdDaily(
                                tenant, dates.stream().map(this::span).toList()),
                        failFast.run(store.days(tenant, BalanceFields.day(from), BalanceFields.day(before))),
                        denials(tenant, Span.ofMillis(from.toEpochMilli(), before.toEpochMilli())))
                .flatMap(found -> JsonResponse.of(
                        HttpStatus.OK, json(figures(dates, found.getT1(), found.getT2()), found.getT3())));
    }

    /** Empty if it takes too long, or the tenant has too many lists under way. */
    private Mono<Optional<List<DenialCount>>> denials(Tenant tenant, Span span) {
        return reads.list(tenant, store.denials(tenant, span)).map(Optional::of).onErrorReturn(Optional.empty());
    }

    private List<Day> figures(List<LocalDate> dates, Map<Span, Long> created, List<Document> balances) {
        Map<Integer, Document> byDay = new HashMap<>();
        for (Document balance : balances) {
            Integer day = balance.get(BalanceFields.ID, Document.class).getInteger(BalanceFields.DAY);
            if (day != null) {
                byDay.put(day, balance);
            }
        }
        // a merchant without any books: they may be disabled
        return dates.stream()
                .map(date -> new Day(
                        date,
                        created.get(span(date)),
                        balances.isEmpty() ? null : PaidFigures.of(byDay, start(date), start(date.plusDays(1)))))
                .toList();
    }

    private Span span(LocalDate date) {
        return Span.ofMillis(start(date).toEpochMilli(), start(date.plusDays(1)).toEpochMilli());
    }

    private Instant start(LocalDate date) {
        return date.atStartOfDay(zone).toInstant();
    }

    private static byte[] json(List<Day> days, Optional<List<DenialCount>> denials) {
        return JsonResponse.object(json -> {
            JsonResponse.objects(json, "days", days, (each, day) -> {
                each.writeStringProperty("date", day.date().toString());
                write(each, day.created(), day.paid());
            });
            json.writeObjectPropertyStart("total");
            List<Long> created =
                    days.stream().map(Day::created).flatMap(Stream::ofNullable).toList();
            Long all = created.size() < days.size()
                    ? null
                    : (Long) created.stream().mapToLong(Long::longValue).sum();
            write(json, all, PaidFigures.sum(days.stream().map(Day::paid).toList()));
            json.writeEndObject();
            if (denials.isEmpty()) {
                json.writeNullProperty("denials");
                return;
            }
            JsonResponse.objects(json, "denials", denials.get(), (each, denial) -> {
                each.writeStringProperty("reason", denial.reason());
                each.writeNumberProperty("count", denial.count());
            });
        });
    }

    private static void write(JsonGenerator json, @Nullable Long created, @Nullable PaidFigures paid) {
        write(json, "created", created);
        write(json, "cashins_paid", paid == null ? null : paid.cashins());
        json.writeStringProperty("cashins_paid_amount", paid == null ? null : Amount.decimal(paid.cashinCents()));
        write(json, "cashouts_paid", paid == null ? null : paid.cashouts());
        json.writeStringProperty("cashouts_paid_amount", paid == null ? null : Amount.decimal(paid.cashoutCents()));
        write(json, "median_seconds_to_pay", seconds(paid, 0.5));
        write(json, "p99_seconds_to_pay", seconds(paid, 0.99));
    }

    private static @Nullable Long seconds(@Nullable PaidFigures paid, double share) {
        return paid == null ? null : paid.secondsToPay(share).map(Math::round).orElse(null);
    }

    private static void write(JsonGenerator json, String name, @Nullable Long number) {
        if (number == null) {
            json.writeNullProperty(name);
        } else {
            json.writeNumberProperty(name, number);
        }
    }
}
