package dev.ligeiro.gateway.operator.records;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.gateway.http.Route;
import dev.ligeiro.gateway.http.problem.FieldError;
import dev.ligeiro.gateway.http.request.Fields;
import dev.ligeiro.gateway.http.request.QueryParameters;
import dev.ligeiro.gateway.operator.admin.AdminPage;
import dev.ligeiro.gateway.operator.admin.AdminResponse;
import dev.ligeiro.gateway.operator.admin.AdminRoutes;
import dev.ligeiro.gateway.operator.admin.ManagementRoutes;
import dev.ligeiro.gateway.operator.admin.MerchantNames;
import dev.ligeiro.gateway.operator.admin.NamedMerchant;
import dev.ligeiro.gateway.operator.admin.Operator;
import dev.ligeiro.gateway.operator.records.RedriveDeadLetters.Selected;
import dev.ligeiro.gateway.operator.records.RedriveDeadLetters.Selection;
import dev.ligeiro.gateway.operator.search.FoundTransaction;
import dev.ligeiro.gateway.operator.search.SearchStore;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
    /** As above, and in addition: the confirmation by Kafka and one write. */
    private static final Duration REDRIVE_MAX = Duration.ofSeconds(30);

    private final AdminRoutes routes;
    private final ReadTopics topics;
    private final RedrivenStore store;
    private final RedriveDeadLetters redrive;
    private final SearchStore search;
    private final MerchantNames names;

    DeadLetterController(
            AdminRoutes routes,
            ReadTopics topics,
            RedrivenStore store,
            RedriveDeadLetters redrive,
            SearchStore search,
            MerchantNames names) {
        this.routes = routes;
        this.topics = topics;
        this.store = store;
        this.redrive = redrive;
        this.search = search;
        this.names = names;
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
        RecordPlace after = given.parsed("after", RecordPlace::parse);
        Integer limit = given.parsed("limit", DeadLetterController::limit);
        given.orThrow();
        return list(requireNonNull(topic), after, limit == null ? AdminPage.ITEMS_MAX : limit);
    }

    private Mono<ServerResponse> list(DeadLetterTopic topic, @Nullable RecordPlace after, int limit) {
        return topics.read(topic.deadLetters(), null, scan -> scan.page(after, limit)
                        .map(record -> DeadLetterRecord.of(topic, record)))
                .flatMap(this::listed)
                .flatMap(page -> AdminResponse.page("dead_letters", page));
    }

    private Mono<AdminPage<ListedJson, RecordPlace>> listed(AdminPage<DeadLetterRecord, RecordPlace> page) {
        List<UUID> ids = page.items().stream()
                .flatMap(each -> Stream.ofNullable(each.transactionId()))
                .toList();
        return Mono.zip(store.redriven(page.items()), search.all(ids)).flatMap(about -> {
            Function<DeadLetterRecord, @Nullable FoundTransaction> found =
                    each -> each.transactionId() == null ? null : about.getT2().get(each.transactionId());
            return names.ofTenants(
                    page,
                    each -> tenant(found.apply(each)),
                    (each, merchant) ->
                            ListedJson.of(each, about.getT1().contains(each.id()), merchant, found.apply(each)));
        });
    }

    private static @Nullable Tenant tenant(@Nullable FoundTransaction found) {
        return found == null ? null : found.tenant();
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
        fields.refuseEmpty("after");
        if (given.isEmpty()) {
            return fields.error(new FieldError("ids", "required", "expected one of ids, reason and all"));
        }
        if (given.size() > 1) {
            given.forEach(name -> fields.reject(FieldError.invalid(name, "expected only one of ids, reason and all")));
            return null;
        }
        RecordPlace after = fields.optionalParsed("after", RecordPlace::parse);
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
                    new TreeSet<>(texts.stream().map(RecordPlace::parse).toList())));
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

    /** The merchant, mode and end-to-end id are those of the transaction, null if there is none. */
    private record ListedJson(
            @JsonUnwrapped DeadLetterRecord deadLetter,
            boolean redriven,
            @JsonUnwrapped NamedMerchant merchant,
            @Nullable Mode mode,
            @Nullable String e2eId) {

        static ListedJson of(
                DeadLetterRecord deadLetter,
                boolean redriven,
                NamedMerchant merchant,
                @Nullable FoundTransaction found) {
            return new ListedJson(
                    deadLetter,
                    redriven,
                    merchant,
                    found == null ? null : found.tenant().mode(),
                    found == null ? null : found.endToEndId());
        }
    }

    private record RedriveJson(
            boolean dryRun,
            DeadLetterTopic topic,
            int count,
            List<RecordPlace> ids,
            int alreadyRedriven,
            @Nullable RecordPlace nextCursor) {

        static RedriveJson of(boolean dryRun, DeadLetterTopic topic, Selected selected) {
            List<RecordPlace> ids =
                    selected.open().stream().map(DeadLetterRecord::id).toList();
            return new RedriveJson(dryRun, topic, ids.size(), ids, selected.alreadyRedriven(), selected.next());
        }
    }
}
