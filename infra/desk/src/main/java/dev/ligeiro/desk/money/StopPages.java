package dev.ligeiro.desk.money;

import dev.ligeiro.desk.http.Bodies;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.money.StopController.CashoutsChange;
import dev.ligeiro.desk.money.StopController.RouteChange;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.page.Capabilities;
import dev.ligeiro.desk.page.Frame;
import dev.ligeiro.desk.page.OperatorFrame;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.TransactionId;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What operators have stopped. A stop has a form of its own: it lets the operator choose a merchant, and says before the button what will
 * happen, since a stop without a merchant stops everybody.
 */
@Controller
@RequestMapping("/console/stops")
public class StopPages {

    private static final int CHOICES_MAX = 20;

    private final StopController stops;
    private final MerchantStore merchants;
    private final Rails rails;
    private final Bodies bodies;
    private final Capabilities capabilities;

    StopPages(StopController stops, MerchantStore merchants, Rails rails, Bodies bodies, Capabilities capabilities) {
        this.stops = stops;
        this.merchants = merchants;
        this.rails = rails;
        this.bodies = bodies;
        this.capabilities = capabilities;
    }

    @GetMapping
    ModelAndView stops() {
        return new ModelAndView("money/stops", "cashouts", stops.listCashouts())
                .addObject("routes", stops.listRoutes());
    }

    /** @param merchant whose cashouts it is about; null for all, and while none is chosen */
    public record StopForm(
            Map<String, String> entered,
            @Nullable Merchant merchant,
            List<Merchant> found,
            List<String> rails,
            @Nullable Problem problem) {

        public String entered(String name) {
            return entered.getOrDefault(name, "").strip();
        }

        public boolean stops() {
            return !entered("stopped").equals("false");
        }

        /** Whether it is known whose cashouts it is about. */
        public boolean isChosen() {
            return merchant != null || entered("all").equals("true");
        }
    }

    @GetMapping("/{what:cashouts|routes}")
    ModelAndView askToStop(@PathVariable String what, @RequestParam Map<String, String> given, Operator operator) {
        StopForm form = form(what, given, null);
        operator.require(form.stops() || form.entered("operation").equals("cashin") ? Role.OPERATE : Role.MONEY);
        return new ModelAndView("money/stop-" + what, "form", form);
    }

    @PostMapping("/{what:cashouts|routes}")
    ModelAndView stop(
            @PathVariable String what,
            @RequestParam Map<String, String> entered,
            @ModelAttribute(name = "frame", binding = false) Frame frame,
            HttpServletRequest request,
            Operator operator,
            RedirectAttributes next) {
        StopForm form = form(what, entered, null);
        try {
            if (what.equals("routes")) {
                stops.routes(bodies.bind(body(form, "rail", "operation"), RouteChange.class), operator);
            } else if (form.isChosen()) {
                stops.cashouts(bodies.bind(body(form, "rail", "merchant"), CashoutsChange.class), operator);
            } else {
                throw Problem.invalid("merchant", "expected a merchant, or all");
            }
        } catch (Problem refused) {
            capabilities.refused("stops " + what, request, refused);
            ModelAndView page = new ModelAndView("money/stop-" + what, "form", form(what, entered, refused));
            page.setStatus(refused.code().status());
            return page;
        }
        next.addFlashAttribute(OperatorFrame.NOTICE, frame.text("money.stop.done"));
        return new ModelAndView("redirect:/console/stops");
    }

    private StopForm form(String what, Map<String, String> entered, @Nullable Problem problem) {
        String name = entered.getOrDefault("name", "").strip();
        return new StopForm(
                entered,
                TransactionId.parse(entered.getOrDefault("merchant", ""))
                        .flatMap(id -> merchants.find(id.value()))
                        .orElse(null),
                name.isEmpty() ? List.of() : merchants.page(name, null, CHOICES_MAX),
                what.equals("routes") ? rails.live() : rails.all(),
                problem);
    }

    private static ObjectNode body(StopForm form, String... names) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("stopped", form.stops()).put("reason", form.entered("reason"));
        for (String name : names) {
            if (!form.entered(name).isEmpty()) {
                body.put(name, form.entered(name));
            }
        }
        return body;
    }
}
