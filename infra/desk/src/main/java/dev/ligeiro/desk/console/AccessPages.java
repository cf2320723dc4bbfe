package dev.ligeiro.desk.console;

import static dev.ligeiro.desk.console.MerchantFrame.HOME;

import dev.ligeiro.desk.console.Answers.OpenedSession;
import dev.ligeiro.desk.page.Frame;
import dev.ligeiro.desk.page.OperatorFrame;
import dev.ligeiro.merchant.Scope;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.client.RestClientException;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/**
 * The way in and out, and who else may get in. A link only shows a button, whose form enters: programs that check links open them, and would
 * use them up.
 */
@Controller
class AccessPages {

    private final GatewayApi api;

    AccessPages(GatewayApi api) {
        this.api = api;
    }

    @GetMapping("/")
    String root() {
        return "redirect:" + HOME;
    }

    @GetMapping("/console/enter/{code}")
    String link(Model model) {
        model.addAttribute("isUsed", false);
        return "console/enter";
    }

    @PostMapping("/console/enter/{code}")
    String enter(@PathVariable String code, HttpServletRequest request, HttpServletResponse response, Model model) {
        OpenedSession opened;
        try {
            opened = api.enter(Map.of("code", code));
        } catch (ApiProblem problem) {
            if (problem.status() != 404 && problem.status() != 422) {
                throw problem;
            }
            response.setStatus(404);
            model.addAttribute("isUsed", true);
            return "console/enter";
        }
        open(opened, request, response);
        return "redirect:" + HOME + (opened.language() == null ? "" : "?lang=" + opened.language());
    }

    /** In a new session, whatever the browser has sent. */
    private static void open(OpenedSession opened, HttpServletRequest request, HttpServletResponse response) {
        request.getSession().invalidate();
        request.getSession().setMaxInactiveInterval((int) opened.idleSeconds());
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(Visitor.of(opened).authentication());
        new HttpSessionSecurityContextRepository().saveContext(context, request, response);
    }

    @PostMapping("/console/sign-out")
    String signOut(@ModelAttribute("visitor") Visitor visitor, HttpSession session) {
        try {
            api.endSession(visitor.session());
        } catch (ApiProblem | RestClientException unreached) {
            // it ends there by itself, since nobody else has its token
        }
        session.invalidate();
        return "redirect:" + HOME;
    }

    @GetMapping("/console/access")
    String access(@ModelAttribute("visitor") Visitor visitor, Model model) {
        boolean mayRead = visitor.may(Scope.TRANSACTIONS_READ);
        model.addAttribute("keys", mayRead ? api.keys().keys() : List.of());
        model.addAttribute("platforms", mayRead ? api.platforms().platforms() : List.of());
        model.addAttribute("sessions", api.sessions().consoleSessions());
        return "console/access";
    }

    @PostMapping("/console/access/sessions/{id}/end")
    String end(@PathVariable UUID id, @ModelAttribute("frame") Frame frame, RedirectAttributes next) {
        api.endSession(id);
        next.addFlashAttribute(OperatorFrame.NOTICE, frame.text("console.done.session_ended"));
        return "redirect:" + HOME + "/access";
    }
}
