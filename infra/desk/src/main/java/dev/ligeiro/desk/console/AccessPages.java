package dev.ligeiro.desk.console;

import static dev.ligeiro.desk.console.MerchantFrame.HOME;

import dev.ligeiro.merchant.Scope;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The way in, and who else may get in. A link only shows a button, whose form enters: programs that check links would use them up. */
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

    /** Opens a new session, whatever the browser has sent. */
    @PostMapping("/console/enter/{code}")
    String enter(@PathVariable String code, HttpServletRequest request, HttpServletResponse response, Model model) {
        Visitor visitor = ApiProblem.nullIf(Set.of(404, 422), () -> api.enter(Map.of("code", code)));
        if (visitor == null) {
            response.setStatus(404);
            model.addAttribute("isUsed", true);
            return "console/enter";
        }
        request.getSession().invalidate();
        request.getSession().setMaxInactiveInterval((int) visitor.idleSeconds());
        SecurityContext context =
                new SecurityContextImpl(UsernamePasswordAuthenticationToken.authenticated(visitor, null, Set.of()));
        new HttpSessionSecurityContextRepository().saveContext(context, request, response);
        return "redirect:" + HOME + (visitor.language() == null ? "" : "?lang=" + visitor.language());
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
    String end(@PathVariable UUID id, RedirectAttributes next) {
        api.endSession(id);
        next.addFlashAttribute(MerchantFrame.DONE, "session_ended");
        return "redirect:" + HOME + "/access";
    }
}
