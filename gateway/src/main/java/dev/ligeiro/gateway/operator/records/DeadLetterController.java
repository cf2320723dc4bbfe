package dev.ligeiro.gateway.operator.records;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.gateway.operator.admin.AdminResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.Operator;
import dev.ligeiro.gateway.operator.records.RedriveDeadLetters.Selected;
import dev.ligeiro.gateway.operator.records.RedriveDeadLetters.Selection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code /admin/dead-letters}: the operator lists dead letters and redrives them. The responses contain no value of a record, and a key
 * only if it is a transaction id.
 */
@Component
class DeadLetterController implements ManagementRoutes {

    private static final String ALL = "/admin/dead-letters";
    private static final int IDS_MAX = 100;
    private static final Pattern REASON = Pattern.compile("[a-z0-9_]{1,50}");
    private static final Pattern LIMIT = Pattern.compile("100|[1-9][0-9]?");
    /** More than the sum of the limits of the steps: reading a page, closing the consumer and one query. */
    private static final Duration LIST_MAX = Duration.ofSeconds(12);
    /** As above, and in addition: looking for the page, the confirmation by Kafka and one write. */
    private static final Duration REDRIVE_MAX = Duration.ofSeconds(40);

    private final AdminRoutes routes;
    private final DeadLetterReader reader;
    private final RedrivenStore store;
    private final RedriveDeadLetters redrive;

    DeadLetterController(AdminRoutes routes, DeadLetterReader reader, RedrivenStore store, RedriveDeadLetters redrive) {
        this.routes = routes;
        this.reader = reader;
        this.store = store;
        this.redrive = redrive;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                routes.get(ALL, LIST_MAX, this::list), routes.postJson(ALL + "/redrive", REDRIVE_MAX, this::redrive));
    }

    /** {@code ?topic=&after=&limit=}: the oldest first, 1 to 100. */
    private Mono<ServerResponse> list(ServerRequest request, Operator operator) {
        QueryParameters given = new QueryParameters(request.queryParams(), Set.of("topic", "after", "limit"));
        DeadLetterTopic topic = given.requiredParsed("topic", DeadLetterTopic::parse);
        DeadLetterId after = given.parsed("after", DeadLetterId::parse);
        Integer limit = given.parsed("limit", DeadLetterController::limit);
        given.orThrow();
        return list(requireNonNull(topic), after, limit == null ? AdminPage.ITEMS_MAX : limit);
    }

    private Mono<ServerResponse> list(DeadLetterTopic topic, @Nullable DeadLetterId after, int limit) {
        return reader.page(topic, after, limit)
                .flatMap(page -> store.redriven(topic, page.items())
                        .map(redriven ->
                                page.map(each -> DeadLetterJson.of(topic, each, redriven.contains(each.id())))))
                .flatMap(page -> AdminResponse.page("dead_letters", page));
    }

    /** {@code {topic, ids | reason | all, after?, dry_run?}}. Without {@code "dry_run":false} nothing is sent. */
    private Mono<ServerResponse> redrive(ServerRequest request, Operator operator, ObjectNode body) {
        Fields fields = new Fields(body);
        DeadLetterTopic topic = fields.requiredParsed("topic", DeadLetterTopic::parse);
        Selection selection = selection(fields);
        boolean dryRun = fields.optionalBoolean("dry_run", true);
        fields.orThrow();
        return redrive.redrive(requireNonNull(topic), requireNonNull(selection), dryRun)
                .flatMap(selected -> AdminResponse.ok(RedriveJson.of(dryRun, topic, selected)));
    }

    private static Integer limit(String text) {
        if (!LIMIT.matcher(text).matches()) {
            throw new IllegalArgumentException("expected a number from 1 to " + AdminPage.ITEMS_MAX);
        }
        return Integer.valueOf(text);
    }

    /** Exactly one of {@code ids}, {@code reason} and {@code all}; null with an error otherwise. */
    private static @Nullable Selection selection(Fields fields) {
        List<String> given = List.of("ids", "reason", "all").stream()
                .filter(name -> fields.node(name) != null)
                .toList();
        if (given.isEmpty()) {
            return fields.error(new FieldError("ids", "required", "expected one of ids, reason and all"));
        }
        if (given.size() > 1) {
            given.forEach(name -> fields.reject(FieldError.invalid(name, "expected only one of ids, reason and all")));
            return null;
        }
        DeadLetterId after = fields.optionalParsed("after", DeadLetterId::parse);
        if (given.contains("ids")) {
            if (after != null) {
                fields.reject(FieldError.invalid("after", "expected only with reason or all"));
            }
            return ids(fields);
        }
        if (given.contains("reason")) {
            String reason = fields.requiredParsed("reason", DeadLetterController::reason);
            return reason == null ? null : new Selection.Range(reason, after);
        }
        if (!fields.optionalBoolean("all", true)) {
            fields.reject(FieldError.invalid("all", "expected true"));
        }
        return new Selection.Range(null, after);
    }

    private static @Nullable Selection ids(Fields fields) {
        List<String> texts = fields.optionalStrings("ids");
        if (texts == null) {
            return null;
        }
        if (texts.isEmpty() || texts.size() > IDS_MAX) {
            return fields.error(FieldError.invalid("ids", "expected 1 to " + IDS_MAX + " ids"));
        }
        try {
            return new Selection.Ids(List.copyOf(
                    new TreeSet<>(texts.stream().map(DeadLetterId::parse).toList())));
        } catch (IllegalArgumentException malformed) {
            return fields.error(FieldError.invalid("ids", String.valueOf(malformed.getMessage())));
        }
    }

    private static String reason(String text) {
        if (!REASON.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "expected a reason such as invalid_message: at most 50 of a-z, 0-9 and _");
        }
        return text;
    }

    private record DeadLetterJson(
            String id,
            String topic,
            @Nullable Long originalPartition,
            @Nullable Long originalOffset,
            @Nullable String reason,
            @Nullable String detail,
            @Nullable String exception,
            @Nullable String transactionId,
            Instant at,
            boolean redriven) {

        static DeadLetterJson of(DeadLetterTopic topic, DeadLetterRecord deadLetter, boolean redriven) {
            return new DeadLetterJson(
                    deadLetter.id().toString(),
                    topic.code(),
                    deadLetter.originalPartition(),
                    deadLetter.originalOffset(),
                    deadLetter.reason(),
                    deadLetter.detail(),
                    deadLetter.exception(),
                    Objects.toString(deadLetter.transactionId(), null),
                    deadLetter.at(),
                    redriven);
        }
    }

    private record RedriveJson(
            boolean dryRun,
            String topic,
            int count,
            List<String> ids,
            int alreadyRedriven,
            @Nullable String nextCursor) {

        static RedriveJson of(boolean dryRun, DeadLetterTopic topic, Selected selected) {
            List<String> ids = selected.open().stream()
                    .map(deadLetter -> deadLetter.id().toString())
                    .toList();
            return new RedriveJson(
                    dryRun,
                    topic.code(),
                    ids.size(),
                    ids,
                    selected.alreadyRedriven(),
                    Objects.toString(selected.next(), null));
        }
    }
}
