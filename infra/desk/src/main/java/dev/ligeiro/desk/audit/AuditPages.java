package dev.ligeiro.desk.audit;

import dev.ligeiro.desk.audit.AuditController.AuditJson;
import dev.ligeiro.desk.audit.AuditController.AuditList;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.page.Frame;
import dev.ligeiro.merchant.Merchant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The audit in sentences, and one entry of it. */
@Controller
public class AuditPages {

    private final AuditController audit;
    private final AuditStore store;
    private final MerchantStore merchants;
    /** Asked for later: it needs all controllers. */
    private final ObjectProvider<RequestMappingHandlerMapping> routes;

    AuditPages(
            AuditController audit,
            AuditStore store,
            MerchantStore merchants,
            @Qualifier("requestMappingHandlerMapping") ObjectProvider<RequestMappingHandlerMapping> routes) {
        this.audit = audit;
        this.store = store;
        this.merchants = merchants;
        this.routes = routes;
    }

    /**
     * What the page shows of the filter.
     *
     * @param merchant id, number, or how the name begins
     * @param isUnknown no merchant is named so
     */
    public record Shown(
            @Nullable String operator,
            @Nullable String merchant,
            @Nullable String action,
            @Nullable LocalDate day,
            boolean isUnknown) {}

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
        String named = given(merchant);
        Merchant found = named == null ? null : merchant(named).orElse(null);
        boolean isUnknown = named != null && found == null;
        Shown shown = new Shown(given(operator), found == null ? named : found.name(), given(action), day, isUnknown);
        AuditList page = isUnknown
                ? new AuditList(List.of(), null)
                : audit.list(found == null ? null : found.id(), shown.operator, shown.action, day, after);
        Map<String, String> kinds = new TreeMap<>();
        routes.getObject().getHandlerMethods().values().stream()
                .flatMap(handler -> Stream.ofNullable(AuditedRoute.of(handler.getMethod(), handler.getBeanType())))
                .map(AuditedRoute::action)
                .forEach(each -> kinds.put(AuditSentences.kind(each, frame.language()), each));
        Stream.of(AuditEntry.SIGN_IN, AuditEntry.WRONG_TOKEN)
                .forEach(each -> kinds.put(AuditSentences.kind(each, frame.language()), each));
        model.addAttribute("page", page);
        model.addAttribute("shown", shown);
        model.addAttribute("kinds", kinds);
        model.addAttribute("sentences", AuditSentences.of(page.audit(), store, frame.language()));
        return "audit/list";
    }

    @GetMapping("/console/audit/{entryId}")
    @Needs(Role.READ)
    String show(@ModelAttribute("frame") Frame frame, @PathVariable UUID entryId, Model model) {
        AuditJson entry = audit.show(entryId);
        model.addAttribute("one", entry);
        model.addAttribute(
                "did",
                AuditSentences.of(List.of(entry), store, frame.language()).did(entry));
        return "audit/entry";
    }

    private static @Nullable String given(@Nullable String text) {
        return text == null || text.isBlank() ? null : text.strip();
    }

    private Optional<Merchant> merchant(String text) {
        if (text.matches("[0-9]{1,9}")) {
            Long number = Long.valueOf(text);
            return Optional.ofNullable(merchants.byNumber(List.of(number)).get(number));
        }
        try {
            return merchants.find(UUID.fromString(text));
        } catch (IllegalArgumentException name) {
            return merchants.page(text, null, 1).stream().findFirst();
        }
    }
}
