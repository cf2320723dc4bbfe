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

/** The audit in sentences, and one entry of it. */
@Controller
class AuditPages {

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
        model.addAttribute("page", page);
        model.addAttribute("operator", operator);
        model.addAttribute("merchant", found == null ? merchant : found.name());
        model.addAttribute("isUnknown", isUnknown);
        model.addAttribute("action", action);
        model.addAttribute("day", day);
        model.addAttribute("kinds", kinds(frame));
        model.addAttribute("sentences", AuditSentences.of(page.audit(), mongo, frame.language()));
        return "audit/list";
    }

    /** The actions by their sentences. */
    private Map<String, String> kinds(Frame frame) {
        Map<String, String> kinds = new TreeMap<>();
        Stream<String> changes = routes.getObject().getHandlerMethods().values().stream()
                .flatMap(handler -> Stream.ofNullable(AuditedRoute.of(handler.getMethod(), handler.getBeanType())))
                .map(AuditedRoute::action);
        Stream.concat(changes, Stream.of(AuditEntry.SIGN_IN, AuditEntry.WRONG_TOKEN))
                .forEach(each -> kinds.put(AuditSentences.kind(each, frame.language()), each));
        return kinds;
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

    @GetMapping("/console/audit/{entryId}")
    @Needs(Role.READ)
    String show(@ModelAttribute("frame") Frame frame, @PathVariable UUID entryId, Model model) {
        AuditJson one = audit.show(entryId);
        model.addAttribute("one", one);
        model.addAttribute(
                "did", AuditSentences.of(List.of(one), mongo, frame.language()).did(one));
        return "audit/entry";
    }
}
