package dev.ligeiro.desk.audit;

import static org.springframework.data.mongodb.core.query.Criteria.where;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.mongodb.ReadPreference;
import dev.ligeiro.desk.audit.AuditLink.Head;
import dev.ligeiro.desk.audit.AuditLink.Heads;
import dev.ligeiro.desk.audit.AuditLink.Proven;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantNames;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.UuidV7;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Which operator has done what, and when. */
@RestController
@RequestMapping("/admin/audit")
@Tag(name = "audit")
public class AuditController {

    private static final Duration LIST_MAX = Duration.ofSeconds(2);
    /** The ids in a path of an action, whose names differ between versions. */
    private static final Pattern VARIABLE = Pattern.compile("\\{[a-zA-Z_]+\\}");

    private static final JsonMapper JSON = new JsonMapper();

    private final MongoTemplate mongo;
    private final MerchantNames names;
    private final ZoneId zone;

    AuditController(MongoTemplate mongo, MerchantNames names, @Value("${ligeiro.time-zone}") ZoneId zone) {
        this.mongo = mongo;
        this.names = names;
        this.zone = zone;
    }

    public record AuditJson(@JsonUnwrapped AuditEntry entry, @JsonUnwrapped NamedMerchant merchant) {}

    public record AuditList(List<AuditJson> audit, @Nullable String nextCursor) {}

    /**
     * Long bodies are cut.
     *
     * @param operator the whole name
     * @param action as an entry has it, such as {@code POST /admin/merchants}; the names of its path variables do not matter
     * @param day such as {@code 2026-11-29}, in the installation's time zone
     */
    @GetMapping
    @Needs(Role.READ)
    @Operation(summary = "Who has changed what, and when; the newest first")
    AuditList list(
            @RequestParam @Nullable UUID merchant,
            @RequestParam @Nullable String operator,
            @RequestParam @Nullable String action,
            @RequestParam @Nullable LocalDate day,
            @RequestParam @Nullable UUID after) {
        Criteria which = new Criteria();
        if (merchant != null) {
            which.and("merchantId").is(merchant);
        }
        if (operator != null) {
            which.and("operator").is(operator);
        }
        if (action != null) {
            which.and("action").regex(pattern(action));
        }
        UUID end = day == null ? null : start(day.plusDays(1));
        UUID before = end == null || after != null && after.compareTo(end) < 0 ? after : end;
        if (before != null) {
            Criteria id = which.and("_id").lt(before);
            if (day != null) {
                id.gte(start(day));
            }
        }
        Query query = Query.query(which)
                .with(Sort.by(Sort.Direction.DESC, "_id"))
                .limit(Slice.ITEMS_MAX + 1)
                .maxTime(LIST_MAX)
                .withReadPreference(ReadPreference.secondaryPreferred());
        Slice<AuditEntry> page = Slice.of(mongo.find(query, AuditEntry.class), AuditEntry::id);
        return new AuditList(named(page.items().stream().map(AuditEntry::listed).toList()), page.next());
    }

    private UUID start(LocalDate day) {
        return UuidV7.lowest(day.atStartOfDay(zone).toInstant().toEpochMilli());
    }

    private static String pattern(String action) {
        return Stream.of(VARIABLE.split(action, -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(VARIABLE.pattern(), "^", "$"));
    }

    private List<AuditJson> named(List<AuditEntry> entries) {
        Function<@Nullable UUID, NamedMerchant> merchants = names.ofIds(entries, AuditEntry::merchantId);
        return entries.stream()
                .map(entry -> new AuditJson(entry, merchants.apply(entry.merchantId())))
                .toList();
    }

    @GetMapping("/{entryId}")
    @Needs(Role.READ)
    @Operation(summary = "One entry of the audit, with its whole body")
    AuditJson show(@PathVariable UUID entryId) {
        AuditEntry entry = mongo.findById(entryId, AuditEntry.class);
        if (entry == null) {
            throw Problem.notFound("There is no such audit entry");
        }
        return named(List.of(entry)).get(0);
    }

    record LinkList(List<Links> links, @Nullable String nextCursor) {}

    /** @param heads the ends of other chains, in the first entry of a chain */
    record Links(UUID id, Instant at, @Nullable Proven begun, @Nullable Proven ended, List<Head> heads) {}

    /** All entries, the oldest first, by their links only, and the digests of what is stored now. */
    @GetMapping("/links")
    @Needs(Role.READ)
    @Operation(summary = "The links that prove the audit; infra/admin audit verify reads them")
    LinkList links(@RequestParam @Nullable UUID after) {
        Query query = Query.query(after == null ? new Criteria() : where("_id").gt(after))
                .with(Sort.by(Sort.Direction.ASC, "_id"))
                .limit(Slice.ITEMS_MAX + 1);
        Slice<Links> page = Slice.of(mongo.find(query, AuditEntry.class), AuditEntry::id)
                .map(entry ->
                        new Links(entry.id(), entry.at(), Proven.begun(entry), Proven.ended(entry), heads(entry)));
        return new LinkList(page.items(), page.next());
    }

    /** A damaged body has none: its digest tells. */
    private static List<Head> heads(AuditEntry entry) {
        try {
            return entry.body() == null || !entry.action().equals(AuditEntry.CHAIN_BEGUN)
                    ? List.of()
                    : JSON.readValue(entry.body(), Heads.class).heads();
        } catch (JacksonException damaged) {
            return List.of();
        }
    }
}
