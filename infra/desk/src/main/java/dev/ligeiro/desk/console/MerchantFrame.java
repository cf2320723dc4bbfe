package dev.ligeiro.desk.console;

import dev.ligeiro.desk.page.Frame;
import dev.ligeiro.desk.page.Frame.MenuItem;
import dev.ligeiro.desk.page.OperatorFrame;
import dev.ligeiro.view.Language;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.propertyeditors.StringTrimmerEditor;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import org.springframework.web.servlet.support.RequestContextUtils;

/** Gives each page of the merchants' console its {@link Frame} and who looks at it. */
@ControllerAdvice
class MerchantFrame {

    static final String HOME = "/console";

    /** Flash attribute: the name of the text in {@code console.done} that the next page shows. */
    static final String DONE = "done";

    private final ZoneId zone;

    MerchantFrame(@Value("${ligeiro.time-zone}") ZoneId zone) {
        this.zone = zone;
    }

    /** Makes a change; the next page says that it is made, or why the gateway has refused it. */
    static void change(RedirectAttributes next, String done, Runnable change) {
        try {
            change.run();
            next.addFlashAttribute(DONE, done);
        } catch (ApiProblem problem) {
            warn(problem, next);
        }
    }

    /** The next page says why the gateway has refused a change. */
    static void warn(ApiProblem problem, RedirectAttributes next) {
        if (!problem.isForThePage()) {
            throw problem;
        }
        next.addFlashAttribute("problem", problem.code());
    }

    /** An empty field of a form is none. */
    @InitBinder({"actionForm", "defenseForm", "endpointForm", "replayForm"})
    void trim(WebDataBinder binder) {
        binder.registerCustomEditor(String.class, new StringTrimmerEditor(true));
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
        return Frame.of(
                request,
                language,
                zone,
                visitor == null ? List.of() : menu(language, visitor, request),
                visitor == null ? null : language.text(visitor.isTest() ? "console.test" : "console.live"),
                visitor == null ? null : visitor.merchant(),
                Set.of(),
                notice(request, language));
    }

    private static List<MenuItem> menu(Language language, Visitor visitor, HttpServletRequest request) {
        return Stream.of("overview", "transactions", "disputes", "endpoints", "statement", "access")
                .filter(visitor::mayOpen)
                .map(page -> {
                    boolean isHome = page.equals("overview");
                    String target = isHome ? HOME : HOME + "/" + page;
                    return MenuItem.of(target, language.text("console.menu." + page), isHome, request);
                })
                .toList();
    }

    private static @Nullable String notice(HttpServletRequest request, Language language) {
        Map<String, ?> flash = RequestContextUtils.getInputFlashMap(request);
        if (flash == null) {
            return null;
        }
        Object done = flash.get(DONE);
        return done == null ? (String) flash.get(OperatorFrame.NOTICE) : language.text("console.done." + done);
    }
}
