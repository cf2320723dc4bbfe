package dev.ligeiro.desk.money;

import dev.ligeiro.transaction.ResolutionState;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** The lists of open work about money. */
@Controller
@RequestMapping("/console")
class MoneyPages {

    private final ApprovalController approvals;
    private final UnsettledController unsettled;
    private final UnmatchedController unmatched;
    private final BreakController breaks;
    private final ResolutionController resolutions;

    MoneyPages(
            ApprovalController approvals,
            UnsettledController unsettled,
            UnmatchedController unmatched,
            BreakController breaks,
            ResolutionController resolutions) {
        this.approvals = approvals;
        this.unsettled = unsettled;
        this.unmatched = unmatched;
        this.breaks = breaks;
        this.resolutions = resolutions;
    }

    @GetMapping("/approvals")
    ModelAndView approvals(@RequestParam @Nullable String after) {
        return new ModelAndView("money/approvals", "page", approvals.list(after));
    }

    @GetMapping("/unsettled")
    ModelAndView unsettled(@RequestParam @Nullable String after) {
        return new ModelAndView("money/unsettled", "page", unsettled.list(null, after));
    }

    @GetMapping("/unmatched-payments")
    ModelAndView unmatched(
            @RequestParam UnmatchedController.@Nullable State state, @RequestParam @Nullable String after) {
        UnmatchedController.State chosen = state == null ? UnmatchedController.State.OPEN : state;
        return new ModelAndView("money/unmatched", "page", unmatched.list(chosen, null, after))
                .addObject("state", chosen);
    }

    @GetMapping("/breaks")
    ModelAndView breaks(@RequestParam BreakController.@Nullable State state, @RequestParam @Nullable String after) {
        BreakController.State chosen = state == null ? BreakController.State.OPEN : state;
        return new ModelAndView("money/breaks", "page", breaks.list(null, null, chosen, after))
                .addObject("state", chosen);
    }

    @GetMapping("/resolutions")
    ModelAndView resolutions(@RequestParam @Nullable ResolutionState state, @RequestParam @Nullable UUID after) {
        return new ModelAndView("money/resolutions", "page", resolutions.list(state, after))
                .addObject("state", state == null ? "" : state.code());
    }
}
