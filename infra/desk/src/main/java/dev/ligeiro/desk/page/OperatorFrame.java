package dev.ligeiro.desk.page;

import dev.ligeiro.desk.http.ConsolePath;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.page.Frame.MenuItem;
import dev.ligeiro.view.Language;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.servlet.i18n.AcceptHeaderLocaleResolver;
import org.springframework.web.servlet.support.RequestContextUtils;

/** Gives each page of the operators' console its {@link Frame}. */
@ControllerAdvice(annotations = Controller.class)
public class OperatorFrame {

    /** The flash attribute, and the notice of the next page. */
    public static final String NOTICE = "notice";

    private static final String LANGUAGE = OperatorFrame.class.getName() + ".language";

    /** The pages of the menu; the first one is at the root. */
    private static final List<String> PAGES = List.of(
            "attention",
            "figures",
            "search",
            "merchants",
            "approvals",
            "unsettled",
            "unmatched-payments",
            "disputes",
            "breaks",
            "resolutions",
            "dead-letters",
            "endpoints",
            "stops",
            "stored-data",
            "audit",
            "sessions");

    private final ZoneId zone;

    OperatorFrame(@Value("${ligeiro.time-zone}") ZoneId zone) {
        this.zone = zone;
    }

    @ModelAttribute("frame")
    Frame frame(HttpServletRequest request) {
        Language language = language(request);
        Operator operator = Operator.of(request.getUserPrincipal());
        List<MenuItem> menu = operator == null
                ? List.of()
                : PAGES.stream()
                        .filter(page -> operator.has(Role.OPERATE) || !page.equals("sessions"))
                        .map(page -> {
                            boolean isHome = page.equals(PAGES.get(0));
                            String target = isHome ? ConsolePath.HOME : ConsolePath.HOME + "/" + page;
                            return MenuItem.of(target, language.text("shared.nav." + page), isHome, request);
                        })
                        .toList();
        return Frame.of(
                request,
                language,
                zone,
                menu,
                language.text("shared.operators"),
                operator == null ? null : operator.name(),
                operator == null ? Set.of() : operator.roles(),
                notice(request));
    }

    /** The one that the person has chosen, else the one that the browser prefers. */
    public static Language language(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        String chosen = request.getParameter("lang");
        if (chosen != null) {
            Language language = chosen.startsWith("en") ? Language.ENGLISH : Language.PORTUGUESE;
            if (session != null) {
                session.setAttribute(LANGUAGE, language);
            }
            return language;
        }
        Object kept = session == null ? null : session.getAttribute(LANGUAGE);
        return kept == null ? Language.preferred(request.getHeader(HttpHeaders.ACCEPT_LANGUAGE)) : (Language) kept;
    }

    private static @Nullable String notice(HttpServletRequest request) {
        var flash = RequestContextUtils.getInputFlashMap(request);
        return flash == null ? null : (String) flash.get(NOTICE);
    }

    /** The language of Bean Validation's messages: English in the API, the reader's in forms. */
    @Component("localeResolver")
    static final class RequestLocale extends AcceptHeaderLocaleResolver {

        @Override
        public Locale resolveLocale(HttpServletRequest request) {
            return request.getRequestURI().startsWith(ConsolePath.HOME)
                    ? Locale.forLanguageTag(language(request).tag())
                    : Locale.ENGLISH;
        }
    }
}
