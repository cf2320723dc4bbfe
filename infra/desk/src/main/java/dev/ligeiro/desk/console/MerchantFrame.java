package dev.ligeiro.desk.console;

import dev.ligeiro.desk.page.Frame;
import dev.ligeiro.desk.page.Frame.MenuItem;
import dev.ligeiro.desk.page.Language;
import dev.ligeiro.desk.page.OperatorFrame;
import dev.ligeiro.merchant.Scope;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.servlet.support.RequestContextUtils;

/** Gives each page of the merchants' console its {@link Frame} and who looks at it. */
@ControllerAdvice
class MerchantFrame {

    static final String HOME = "/console";

    private final ZoneId zone;

    MerchantFrame(@Value("${ligeiro.time-zone}") ZoneId zone) {
        this.zone = zone;
    }

    @ModelAttribute("visitor")
    @Nullable
    Visitor visitor(@Nullable Principal who) {
        return Visitor.of(who);
    }

    @ModelAttribute("frame")
    Frame frame(HttpServletRequest request) {
        Language language = OperatorFrame.language(request);
        Visitor visitor = Visitor.of(request.getUserPrincipal());
        CsrfToken csrf = (CsrfToken) request.getAttribute(CsrfToken.class.getName());
        String path = path(request);
        return new Frame(
                language,
                zone,
                path,
                visitor == null ? List.of() : menu(language, visitor, path),
                visitor == null ? null : language.text(visitor.isTest() ? "console.test" : "console.live"),
                visitor == null ? null : visitor.merchant(),
                Set.of(),
                csrf == null ? "" : csrf.getToken(),
                notice(request));
    }

    /** That of the page which failed, if it did. */
    private static String path(HttpServletRequest request) {
        Object failed = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
        String path = failed == null ? request.getRequestURI() : failed.toString();
        return request.getQueryString() == null ? path : path + "?" + request.getQueryString();
    }

    private static List<MenuItem> menu(Language language, Visitor visitor, String path) {
        List<MenuItem> menu = new ArrayList<>();
        if (visitor.may(Scope.TRANSACTIONS_READ)) {
            menu.add(item(language, "", "overview", path));
            menu.add(item(language, "/transactions", "transactions", path));
        }
        if (visitor.may(Scope.WEBHOOKS_MANAGE)) {
            menu.add(item(language, "/endpoints", "endpoints", path));
        }
        if (visitor.may(Scope.STATEMENT_READ)) {
            menu.add(item(language, "/statement", "statement", path));
        }
        menu.add(item(language, "/access", "access", path));
        return menu;
    }

    private static MenuItem item(Language language, String path, String name, String here) {
        String plain = here.replaceFirst("\\?.*", "");
        boolean isCurrent = path.isEmpty() ? plain.equals(HOME) : (plain + "/").startsWith(HOME + path + "/");
        return new MenuItem(HOME + path, language.text("console.menu." + name), isCurrent);
    }

    private static @Nullable String notice(HttpServletRequest request) {
        var flash = RequestContextUtils.getInputFlashMap(request);
        return flash == null ? null : (String) flash.get(OperatorFrame.NOTICE);
    }
}
