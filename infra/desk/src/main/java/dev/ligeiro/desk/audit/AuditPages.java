package dev.ligeiro.desk.audit;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.desk.audit.AuditController.AuditJson;
import dev.ligeiro.desk.audit.AuditController.AuditList;
import dev.ligeiro.desk.audit.AuditRequests.Route;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.page.Frame;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.view.Language;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.propertyeditors.StringTrimmerEditor;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The audit in sentences, such as "ana revoked key sk_test_3E9z of Loja da Ana", and one entry of it. */
@Controller
public class AuditPages {

    private static final String UUID_FORM = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
    private static final Pattern KEY = Pattern.compile(".*/keys/(" + UUID_FORM + ").*");
    private static final Pattern THING = Pattern.compile(".*/(" + UUID_FORM + "|[0-9]+-[0-9]+)(?:/[a-z-]+)?");
    private static final Pattern STOPS = Pattern.compile(".*\"stopped\":(true|false).*", Pattern.DOTALL);
    private static final String UNKNOWN = "…";

    private final AuditController audit;
    private final MongoTemplate mongo;
    private final MerchantStore merchants;
    /** Asked for later: it needs all controllers. */
    private final ObjectProvider<RequestMappingHandlerMapping> routes;

    AuditPages(
            AuditController audit,
            MongoTemplate mongo,
            MerchantStore merchants,
            @Qualifier("requestMappingHandlerMapping") ObjectProvider<RequestMappingHandlerMapping> routes) {
        this.audit = audit;
        this.mongo = mongo;
        this.merchants = merchants;
        this.routes = routes;
    }

    /** An empty field of the filter is none. */
    @InitBinder
    void emptyIsNone(WebDataBinder binder) {
        binder.registerCustomEditor(String.class, new StringTrimmerEditor(true));
    }

    /** @param did the sentence without its subject */
    public record Told(AuditEntry entry, String did) {}

    /** @param merchant id, number, or how the name begins */
    @GetMapping("/console/audit")
    @Needs(Role.READ)
    String list(
            @ModelAttribute("frame") Frame frame,
            @RequestParam @Nullable String operator,
            @RequestParam @Nullable String merchant,
            @RequestParam @Nullable String action,
            @RequestParam @Nullable LocalDate day,
            @RequestParam @Nullable UUID after,
            Model model) {
        Merchant found = merchant == null ? null : merchant(merchant).orElse(null);
        boolean isUnknown = merchant != null && found == null;
        AuditList page = isUnknown
                ? new AuditList(List.of(), null)
                : audit.list(found == null ? null : found.id(), operator, action, day, after);
        model.addAttribute("told", told(page.audit(), frame.language()));
        model.addAttribute("next", page.nextCursor());
        model.addAttribute("operator", operator);
        model.addAttribute("merchant", found == null ? merchant : found.name());
        model.addAttribute("isUnknown", isUnknown);
        model.addAttribute("action", action);
        model.addAttribute("day", day);
        model.addAttribute("kinds", kinds(frame.language()));
        return "audit/list";
    }

    @GetMapping("/console/audit/{entryId}")
    @Needs(Role.READ)
    String show(@ModelAttribute("frame") Frame frame, @PathVariable UUID entryId, Model model) {
        AuditJson one = audit.show(entryId);
        model.addAttribute("one", one);
        model.addAttribute("did", told(List.of(one), frame.language()).get(0).did());
        return "audit/entry";
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
                + action.replaceAll("\\{[a-zA-Z_]+}", "x")
                        .replace(" /admin/", ".")
                        .replace('/', '.')
                        .replace(' ', '-')
                        .toLowerCase(Locale.ROOT);
    }
}
