package dev.ligeiro.desk.audit;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.mongodb.ReadPreference;
import dev.ligeiro.desk.audit.AuditController.AuditJson;
import dev.ligeiro.desk.audit.AuditController.AuditList;
import dev.ligeiro.desk.audit.AuditLink.Head;
import dev.ligeiro.desk.audit.AuditLink.Heads;
import dev.ligeiro.desk.audit.AuditLink.Proven;
import dev.ligeiro.desk.audit.AuditRequests.Route;
import dev.ligeiro.desk.http.Slice;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.merchant.NamedMerchant;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.page.Frame;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.UuidV7;
import dev.ligeiro.view.Language;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Which operator has done what, and when; on pages in sentences, such as "ana revoked key sk_test_3E9z of Loja da Ana". */
@RestController
@Tag(name = "audit")
public class AuditController {

    private static final Duration LIST_MAX = Duration.ofSeconds(2);
    /** The ids in a path of an action, whose names differ between versions. */
    private static final Pattern VARIABLE = Pattern.compile("\\{[a-zA-Z_]+}");

    private static final JsonMapper JSON = new JsonMapper();

    private static final String UUID_FORM = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
    private static final Pattern KEY = Pattern.compile(".*/keys/(" + UUID_FORM + ").*");
    private static final Pattern THING = Pattern.compile(".*/(" + UUID_FORM + "|[0-9]+-[0-9]+)(?:/[a-z-]+)?");
    private static final Pattern STOPS = Pattern.compile(".*\"stopped\":(true|false).*", Pattern.DOTALL);
    private static final String UNKNOWN = "…";

    private final MongoTemplate mongo;
    private final MerchantStore merchants;
    private final ZoneId zone;
    /** Asked for later: it needs all controllers. */
    private final ObjectProvider<RequestMappingHandlerMapping> routes;

    AuditController(
            MongoTemplate mongo,
            MerchantStore merchants,
            @Value("${ligeiro.time-zone}") ZoneId zone,
            @Qualifier("requestMappingHandlerMapping") ObjectProvider<RequestMappingHandlerMapping> routes) {
        this.mongo = mongo;
        this.merchants = merchants;
        this.zone = zone;
        this.routes = routes;
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
    @GetMapping("/admin/audit")
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
        Function<@Nullable UUID, NamedMerchant> named = merchants.namesOfIds(entries, AuditEntry::merchantId);
        return entries.stream()
                .map(entry -> new AuditJson(entry, named.apply(entry.merchantId())))
                .toList();
    }

    @GetMapping("/admin/audit/{entryId}")
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
    @GetMapping("/admin/audit/links")
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

    /** @param did the sentence without its subject */
    public record Told(AuditEntry entry, String did) {}

    /** @param merchant id, number, or how the name begins; an empty field of the filter is none */
    @GetMapping("/console/audit")
    @Needs(Role.READ)
    ModelAndView page(
            @ModelAttribute("frame") Frame frame,
            @RequestParam(defaultValue = "") String operator,
            @RequestParam(defaultValue = "") String merchant,
            @RequestParam(defaultValue = "") String action,
            @RequestParam @Nullable LocalDate day,
            @RequestParam @Nullable UUID after) {
        Merchant found = merchant.isBlank() ? null : merchant(merchant.strip()).orElse(null);
        boolean isUnknown = !merchant.isBlank() && found == null;
        AuditList page = isUnknown
                ? new AuditList(List.of(), null)
                : list(found == null ? null : found.id(), given(operator), given(action), day, after);
        return new ModelAndView("audit/list", "told", told(page.audit(), frame.language()))
                .addObject("next", page.nextCursor())
                .addObject("operator", given(operator))
                .addObject("merchant", found == null ? given(merchant) : found.name())
                .addObject("isUnknown", isUnknown)
                .addObject("action", given(action))
                .addObject("day", day)
                .addObject("kinds", kinds(frame.language()));
    }

    private static @Nullable String given(String text) {
        return text.isBlank() ? null : text.strip();
    }

    @GetMapping("/console/audit/{entryId}")
    @Needs(Role.READ)
    ModelAndView page(@ModelAttribute("frame") Frame frame, @PathVariable UUID entryId) {
        AuditJson one = show(entryId);
        return new ModelAndView("audit/entry", "one", one)
                .addObject("did", told(List.of(one), frame.language()).get(0).did());
    }

    private Optional<Merchant> merchant(String text) {
        if (text.matches("[0-9]{1,9}")) {
            return merchants.byNumber(List.of(Long.valueOf(text))).values().stream()
                    .findFirst();
        }
        try {
            return merchants.find(UUID.fromString(text));
        } catch (IllegalArgumentException name) {
            return merchants.page(text, null, 1).stream().findFirst();
        }
    }

    /** The actions by their sentences; an action is its own where there is none. */
    private Map<String, String> kinds(Language language) {
        Map<String, String> kinds = new TreeMap<>();
        Stream<String> changes = routes.getObject().getHandlerMethods().values().stream()
                .flatMap(handler -> Stream.ofNullable(Route.of(handler.getMethod(), handler.getBeanType())))
                .map(Route::action);
        Stream.concat(changes, Stream.of(AuditEntry.SIGN_IN, AuditEntry.WRONG_TOKEN))
                .forEach(action -> {
                    String text = language.find(name(action));
                    kinds.put(text == null ? action : String.format(Locale.ROOT, text, UNKNOWN, UNKNOWN), action);
                });
        return kinds;
    }

    private List<Told> told(List<AuditJson> entries, Language language) {
        List<UUID> ids = entries.stream()
                .map(each -> found(KEY, each.entry()))
                .filter(Objects::nonNull)
                .map(UUID::fromString)
                .toList();
        // a person knows a key by its beginning
        Map<String, String> keys =
                mongo.find(query(where("_id").in(ids)), ApiKey.class, CollectionNames.API_KEYS).stream()
                        .collect(Collectors.toMap(key -> key.id().toString(), ApiKey::prefix));
        return entries.stream()
                .map(each -> new Told(each.entry(), did(each, keys, language)))
                .toList();
    }

    private static String did(AuditJson each, Map<String, String> keys, Language language) {
        AuditEntry entry = each.entry();
        Matcher stops = STOPS.matcher(Objects.toString(entry.body(), ""));
        String text = language.find(name(entry.action()) + (stops.matches() ? "." + stops.group(1) : ""));
        if (text == null) {
            return language.text("audit.other", entry.action().split(" ", 2)[0], entry.path());
        }
        String key = found(KEY, entry);
        String thing = key == null ? found(THING, entry) : keys.getOrDefault(key, key);
        return String.format(
                Locale.ROOT,
                text,
                Objects.toString(thing, UNKNOWN),
                Objects.toString(each.merchant().merchantName(), UNKNOWN));
    }

    /** What the path names, or that of what the request made; null for nothing. */
    private static @Nullable String found(Pattern pattern, AuditEntry entry) {
        Matcher path = pattern.matcher(entry.created() == null ? entry.path() : entry.created());
        return path.matches() ? path.group(1) : null;
    }

    /** {@code audit.did.delete.merchants.x.keys.x} for {@code DELETE /admin/merchants/{merchantId}/keys/{keyId}}, however its ids are named. */
    private static String name(String action) {
        return "audit.did."
                + VARIABLE.matcher(action)
                        .replaceAll("x")
                        .replace(" /admin/", ".")
                        .replace('/', '.')
                        .replace(' ', '-')
                        .toLowerCase(Locale.ROOT);
    }
}
