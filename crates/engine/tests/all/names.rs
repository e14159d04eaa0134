//! Names of solvers, agents and questions: what they stand for, and what is said about wrong ones.

use delphic_engine::{AGENTS, Agent, Ask, SOLVERS, Solver};

#[test]
fn every_listed_solver_parses_and_prints_its_full_name() {
    for info in SOLVERS {
        let solver: Solver = info.name.parse().unwrap();
        assert_eq!(solver.to_string().parse(), Ok(solver.clone()));
        assert_eq!(solver.to_string().split(':').next(), Some(info.name));
    }
    assert_eq!(
        "ppn:theta=0.001".parse::<Solver>().unwrap().to_string(),
        "ppn:playouts=60,theta=0.001,precision=0,stop=on,ties=first"
    );
}

#[test]
fn wrong_solvers_are_explained() {
    for (text, message) in [
        ("pnss", "unknown solver 'pnss' (did you mean 'pns'?); `delphic solvers` lists them"),
        (
            "pp:prior=guess",
            "pp: invalid parameter 'prior=guess': expected mobility, half, eval or a file written by `delphic learn`",
        ),
        (
            "pns:prior=eval",
            "pns: invalid parameter 'prior=eval': expected unit, mobility or a file written by `delphic learn`",
        ),
        (
            "pp:playouts=3",
            "pp does not take 'playouts=3'; expected prior=mobility|half|eval|FILE,precision=0,stop=on|off,ties=first|last|random|split",
        ),
        ("ppt:symmetry=maybe", "ppt: invalid parameter 'symmetry=maybe': expected off, on"),
        ("pp:ties=best", "pp: invalid parameter 'ties=best': expected first, last, random, split"),
        ("ppn:playouts=0", "ppn: invalid parameter 'playouts=0': expected a whole number of at least 1"),
        (
            "ppn:precision=0.5",
            "ppn: invalid parameter 'precision=0.5': expected a number of at least 0 and less than 0.5",
        ),
        (
            "pns:sum=weak",
            "pns does not take 'sum=weak'; expected prior=unit|mobility|FILE,ties=first|last|random|split",
        ),
        ("uct:c=-1", "uct: invalid parameter 'c=-1': expected a number of at least 0 and less than 1000000"),
        ("ppn:theta=0.7", "ppn: invalid parameter 'theta=0.7': expected a number between 0 and 0.5"),
        ("brute:x=1", "brute does not take 'x=1'; expected no parameter"),
    ] {
        assert_eq!(text.parse::<Solver>().unwrap_err().to_string(), message);
    }
}

#[test]
fn every_listed_agent_parses_and_prints_its_full_name() {
    for name in AGENTS.iter().map(|info| info.name).chain(SOLVERS.iter().map(|info| info.name)) {
        let agent: Agent = name.parse().unwrap();
        assert_eq!(agent.to_string().parse(), Ok(agent.clone()));
        assert_eq!(agent.to_string().split(':').next(), Some(name));
    }
    let agent: Agent = "gpn-mcts:bias=max,cpn=0.5,compat=ludii".parse().unwrap();
    assert!(agent.to_string().contains("cut=200,reuse=on,compat=ludii,bias=max,cpn=0.5,mobility=on,sb=on"));
}

#[test]
fn wrong_agents_are_explained() {
    for (text, message) in [
        ("gpn-mtcs", "unknown agent 'gpn-mtcs' (did you mean 'gpn-mcts'?); `delphic agents` lists them"),
        (
            "uct:cpn=1",
            "uct does not take 'cpn=1'; expected c=1.414,playouts=1,cut=0,reuse=on|off,compat=off|ludii",
        ),
        ("gpn-mcts:bias=best", "gpn-mcts: invalid parameter 'bias=best': expected rank, max, sum"),
        (
            "gpn-mcts:cpn=-1",
            "gpn-mcts: invalid parameter 'cpn=-1': expected a number of at least 0 and less than 1000000",
        ),
        ("sb-mcts:compat=java", "sb-mcts: invalid parameter 'compat=java': expected off, ludii"),
        (
            "pp:prior=x",
            "pp: invalid parameter 'prior=x': expected mobility, half, eval or a file written by `delphic learn`",
        ),
    ] {
        assert_eq!(text.parse::<Agent>().unwrap_err().to_string(), message);
    }
}

#[test]
fn questions_read_as_they_print() {
    for text in ["win", "draw", "value", "maxn", ">=-3", ">=12"] {
        assert_eq!(text.parse::<Ask>().unwrap().to_string(), text);
    }
    for bad in ["", "wins", ">=", ">=x", ">= 1 2", "=1", ">=99999"] {
        assert!(bad.parse::<Ask>().is_err(), "{bad}");
    }
}
